<?php

declare(strict_types=1);

namespace Zimbo;

/** Too many requests (429): nothing happened; wait for `retryAfterSeconds`. */
final class RateLimited extends GatewayException
{
}
