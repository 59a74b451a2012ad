<?php

declare(strict_types=1);

namespace Zimbo;

/** The request breaks a rule (400, 422): `param` and `details` name it. */
final class InvalidRequest extends GatewayException
{
}
