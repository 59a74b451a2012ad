<?php

declare(strict_types=1);

namespace Zimbo;

/** The gateway answered, and refused. */
class GatewayException extends ZimboException
{
}
