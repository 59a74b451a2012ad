<?php

declare(strict_types=1);

namespace Zimbo;

/** The value of a parameter that was not given; null means null. */
enum Omitted
{
    case Value;
}
