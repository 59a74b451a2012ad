<?php

declare(strict_types=1);

namespace Zimbo;

/** The object's state, a limit or the idempotency key forbids this (409). */
final class Conflict extends GatewayException
{
}
