<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Currency;
use Zimbo\Model\Product;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class ProductsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a product. Requires the permission `products:write`.
     * @param string $name What customers read.
     * @param int $price In centavos.
     * @param string|null|Omitted $description A text of your own.
     * @param Currency|string|null|Omitted $currency
     * @param bool|null|Omitted $active Whether new checkout sessions may refer to it.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @throws ZimboException
     */
    public function create(
        string $name,
        int $price,
        string|null|Omitted $description = Omitted::Value,
        Currency|string|null|Omitted $currency = Omitted::Value,
        bool|null|Omitted $active = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Product {
        $request = new Request('POST', '/v1/products', body: Write::given(['name' => $name, 'price' => $price, 'description' => $description, 'currency' => $currency, 'active' => $active, 'metadata' => Write::map($metadata)]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Product::fromJson(...));
    }

    /**
     * List products, newest first. Requires the permission `products:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param bool|Omitted $active Only those that are active, or only those that are not.
     * @param array<string, mixed>|Omitted $metadata Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.
     * @return Pages<Product>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        bool|Omitted $active = Omitted::Value,
        array|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/products', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'active' => $active, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Product::fromJson(...));
    }

    /**
     * Get a product. Requires the permission `products:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): Product {
        $request = new Request('GET', Write::path('/v1/products/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Product::fromJson(...));
    }

    /**
     * Change a product. Fields that you omit stay as they are; null clears description and metadata. Existing checkout sessions do not change. Requires the permission `products:write`.
     * @param string|Omitted $name What customers read.
     * @param int|Omitted $price In centavos.
     * @param string|null|Omitted $description A text of your own.
     * @param Currency|string|Omitted $currency
     * @param bool|Omitted $active Whether new checkout sessions may refer to it.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @throws ZimboException
     */
    public function update(
        string $id,
        string|Omitted $name = Omitted::Value,
        int|Omitted $price = Omitted::Value,
        string|null|Omitted $description = Omitted::Value,
        Currency|string|Omitted $currency = Omitted::Value,
        bool|Omitted $active = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Product {
        $request = new Request('PATCH', Write::path('/v1/products/{id}', ['id' => $id]), body: Write::given(['name' => $name, 'price' => $price, 'description' => $description, 'currency' => $currency, 'active' => $active, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Product::fromJson(...));
    }

    /**
     * Delete a product. Existing checkout sessions do not change. Requires the permission `products:write`.
     * @throws ZimboException
     */
    public function delete(
        string $id,
        ?float $timeoutSeconds = null,
    ): void {
        $request = new Request('DELETE', Write::path('/v1/products/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        $this->transport->text($request);
    }
}
