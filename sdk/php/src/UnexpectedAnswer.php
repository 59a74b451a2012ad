<?php

declare(strict_types=1);

namespace Zimbo;

/** The answer is none that a gateway gives; a proxy's, for example. `status` is that of the answer. */
final class UnexpectedAnswer extends ZimboException
{
}
