<?php
// The customers' pages. They work without scripts too; these open the payment page over the shop.
declare(strict_types=1);

const SHARED = __DIR__ . '/../../shop';
const TICK = 'm5 12.5 4.5 4.5L19 7.5';
const CROSS = 'M7 7l10 10M17 7 7 17';
const TEXTS = [
    'NEW' => ['A aguardar o pagamento', 'Esta página atualiza-se sozinha. Se ainda não pagou, pode fazê-lo agora.'],
    'PAID' => ['Encomenda paga', 'Obrigado. Recebemos o seu pagamento e vamos preparar a encomenda.'],
    'REFUNDING' => ['A devolver o dinheiro', 'Cancelou a encomenda. O dinheiro volta ao telemóvel com que pagou.'],
    'REFUNDED' => ['Dinheiro devolvido', 'A encomenda foi cancelada, e o dinheiro voltou ao telemóvel com que pagou.'],
    'REFUND_FAILED' => ['A devolução falhou', 'Não conseguimos devolver o dinheiro. Fale connosco, por favor.'],
];

/** @return array<string, object> by id */
function products(): array
{
    return array_column(json_decode(file_get_contents(SHARED . '/products.json')), null, 'id');
}

function showProducts(): void
{
    global $store;
    $sold = $store->sold();
    $cards = array_map(static fn (object $each): string => card($each, $sold[$each->id] ?? 0), products());
    $main = '<main><h1>Das ilhas, para a sua casa</h1><ul>' . implode($cards) . '</ul></main>';
    show(200, layout('Loja da Praia', $main, scripts()));
}

function card(object $product, int $sold): string
{
    $product = (object) array_map(text(...), (array) $product);
    $order = bin2hex(random_bytes(16));
    $price = money((int) $product->price);
    $drawing = drawing($product->drawing);
    $line = match ($sold) {
        0 => 'Seja o primeiro a comprar',
        1 => '1 vendido',
        default => "$sold vendidos",
    };
    return <<<HTML
        <li class="card">$drawing
        <h2><bdi>$product->name</bdi></h2>
        <p>$product->about</p>
        <p class="price">$price</p>
        <form method="post" action="/orders">
        <input type="hidden" name="order" value="$order">
        <input type="hidden" name="product" value="$product->id">
        <button>Comprar<span class="unseen"> $product->name</span></button>
        </form>
        <p class="sold">$line</p></li>

        HTML;
}

function orderPage(Order $order): string
{
    [$title, $text] = TEXTS[$order->status];
    $price = money($order->price);
    $name = text(products()[$order->product]->name);
    $isWaiting = in_array($order->status, ['NEW', 'REFUNDING'], true);
    $picture = $isWaiting ? '<div class="ring"></div>' : drawing($order->status === 'REFUND_FAILED' ? CROSS : TICK);
    [$action, $button] = match ($order->status) {
        'NEW' => ['pay', "<button>Pagar $price</button>"],
        'PAID' => ['refund', '<button class="quiet">Cancelar a encomenda</button>'],
        default => [null, null],
    };
    $form = $action ? "<form method=\"post\" action=\"/orders/$order->id/$action\">$button</form>" : '';
    return layout($title, <<<HTML
        <main class="order">$picture
        <h1>$title</h1>
        <p>$text</p>
        <p class="item"><bdi>$name</bdi> <b>$price</b></p>
        $form
        <p><a href="/">Voltar à loja</a></p></main>
        HTML, $isWaiting ? '<noscript><meta http-equiv="refresh" content="5"></noscript>' . scripts() : '');
}

function scripts(): string
{
    $gateway = text(GATEWAY);
    return "<script src=\"$gateway/pay/checkout.js\" defer></script><script src=\"/dialog.js\" defer></script>";
}

function showNotice(int $status, string $title): void
{
    $main = "<h1>$title</h1><p>Volte à loja e tente de novo.</p><p><a href=\"/\">Voltar à loja</a></p>";
    show($status, layout($title, "<main class=\"order\">$main</main>"));
}

function layout(string $title, string $main, string $head = ''): string
{
    return <<<HTML
        <!doctype html>
        <html lang="pt-PT">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>$title</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/style.css">
        $head
        </head>
        <body>
        <header><a href="/">Loja da Praia</a></header>
        $main
        <footer>Uma loja de exemplo: nada é cobrado e nada é enviado.</footer>
        </body>
        </html>

        HTML;
}

/** Our pages load only our own files, and from the gateway its script and its page. Forms lead there too. */
function show(int $status, string $page): void
{
    $gateway = implode('/', array_slice(explode('/', GATEWAY), 0, 3));
    http_response_code($status);
    $policy = "default-src 'none'; style-src 'self'; script-src 'self' $gateway; connect-src 'self'; "
        . "frame-src $gateway; img-src data:; form-action 'self' $gateway; base-uri 'none'; frame-ancestors 'none'";
    header("Content-Security-Policy: $policy");
    header('Referrer-Policy: no-referrer');
    header('X-Content-Type-Options: nosniff');
    header('Cache-Control: no-store');
    echo $page;
}

function showFile(string $name, string $type): void
{
    header("Content-Type: $type");
    readfile(SHARED . "/$name");
}

/** To the payment page: as its address for dialog.js, which opens it over the shop, otherwise by a redirect. */
function leadTo(string $address, string $id): void
{
    if (($_SERVER['HTTP_ACCEPT'] ?? '') !== 'application/json') {
        header("Location: $address", true, 303);
        return;
    }
    header('Content-Type: application/json');
    echo json_encode(['url' => $address, 'order' => "/orders/$id"], JSON_THROW_ON_ERROR);
}

function drawing(string $path): string
{
    return "<svg class=\"drawing\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"$path\"/></svg>";
}

/** A value that is safe in HTML: names come from people, and people write <b>. */
function text(string|int $value): string
{
    return htmlspecialchars((string) $value, ENT_QUOTES);
}

/** Centavos in local notation: 4.200$00 CVE */
function money(int $centavos): string
{
    return number_format(intdiv($centavos, 100), 0, '', '.') . sprintf('$%02d CVE', $centavos % 100);
}
