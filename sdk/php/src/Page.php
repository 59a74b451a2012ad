<?php

declare(strict_types=1);

namespace Zimbo;

/**
 * One page of a list, newest first.
 *
 * @template Item
 */
final class Page
{
    /**
     * @param list<Item> $data
     * @param bool $hasMore whether another page follows
     */
    public function __construct(public readonly array $data, public readonly bool $hasMore)
    {
    }
}
