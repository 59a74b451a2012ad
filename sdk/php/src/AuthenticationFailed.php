<?php

declare(strict_types=1);

namespace Zimbo;

/** The key is missing, wrong or revoked (401). */
final class AuthenticationFailed extends GatewayException
{
}
