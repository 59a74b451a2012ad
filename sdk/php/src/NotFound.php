<?php

declare(strict_types=1);

namespace Zimbo;

/** There is no such object for this key (404). */
final class NotFound extends GatewayException
{
}
