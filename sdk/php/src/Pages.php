<?php

declare(strict_types=1);

namespace Zimbo;

/**
 * A list, newest first: `foreach` iterates over its items. It sends nothing before, and each iteration starts over.
 *
 * @template Item of object
 * @implements \IteratorAggregate<int, Item>
 */
final class Pages implements \IteratorAggregate
{
    private const LARGEST_LIMIT = 100;

    /** @param \Closure(array<string, mixed>): Item $read */
    public function __construct(
        private readonly Transport $transport,
        private readonly Request $request,
        private readonly \Closure $read,
    ) {
    }

    /**
     * The first page: up to `limit` items, by default 20.
     *
     * @return Page<Item>
     * @throws ZimboException
     */
    public function page(): Page
    {
        return $this->transport->json($this->request, $this->pageOf(...))[0];
    }

    /**
     * Page after page, up to `limit` items each, by default 100.
     *
     * @return \Generator<int, Page<Item>>
     * @throws ZimboException
     */
    public function pages(): \Generator
    {
        $limit = $this->request->query['limit'] ?? self::LARGEST_LIMIT;
        $request = $this->request->withQuery(['limit' => $limit]);
        do {
            [$page, $nextId] = $this->transport->json($request, $this->pageOf(...));
            yield $page;
            if ($page->hasMore) {
                $request = self::next($request, $nextId);
            }
        } while ($page->hasMore);
    }

    /** @return \Generator<int, Item> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page->data as $item) {
                yield $item;
            }
        }
    }

    /**
     * At most so many items, as an array.
     *
     * @return list<Item>
     * @throws ZimboException
     */
    public function toArray(int $most): array
    {
        $items = [];
        foreach ($this as $item) {
            if (count($items) === $most) {
                break;
            }
            $items[] = $item;
        }
        return $items;
    }

    private static function next(Request $request, ?string $nextId): Request
    {
        $cursor = isset($request->query['ending_before']) ? 'ending_before' : 'starting_after';
        if ($nextId === null || $nextId === ($request->query[$cursor] ?? null)) {
            $message = 'The list is incomplete: the answer says that more follows, but has nothing new.';
            throw new UnexpectedAnswer($message, 'UNEXPECTED_ANSWER');
        }
        return $request->withQuery([$cursor => $nextId]);
    }

    /**
     * The page, and the id after which the next one begins. With ending_before, pages are newer and newer.
     *
     * @param array<string, mixed> $answer
     * @return array{Page<Item>, string|null}
     */
    private function pageOf(array $answer): array
    {
        $data = $answer['data'];
        $next = isset($this->request->query['ending_before']) ? reset($data) : end($data);
        return [new Page(array_map($this->read, $data), $answer['hasMore']), $next['id'] ?? null];
    }
}
