<?php

declare(strict_types=1);

namespace Zimbo;

/** No answer arrived, or none in time: the request may have taken effect. Repeat it under its idempotency key. */
final class ConnectionFailed extends ZimboException
{
}
