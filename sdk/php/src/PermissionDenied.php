<?php

declare(strict_types=1);

namespace Zimbo;

/** The key may not do this (403). */
final class PermissionDenied extends GatewayException
{
}
