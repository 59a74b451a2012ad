"""The customers' pages. They work without scripts too; these open the payment page over the shop."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

SHARED = Path(__file__).parents[2] / "shop"
PRODUCTS: dict[str, Any] = {each["id"]: each for each in json.loads((SHARED / "products.json").read_text("utf-8"))}

TICK = "m5 12.5 4.5 4.5L19 7.5"
CROSS = "M7 7l10 10M17 7 7 17"
TEXTS = {
    "NEW": ("A aguardar o pagamento", "Esta página atualiza-se sozinha. Se ainda não pagou, pode fazê-lo agora."),
    "PAID": ("Encomenda paga", "Obrigado. Recebemos o seu pagamento e vamos preparar a encomenda."),
    "REFUNDING": ("A devolver o dinheiro", "Cancelou a encomenda. O dinheiro volta ao telemóvel com que pagou."),
    "REFUNDED": ("Dinheiro devolvido", "A encomenda foi cancelada, e o dinheiro voltou ao telemóvel com que pagou."),
    "REFUND_FAILED": ("A devolução falhou", "Não conseguimos devolver o dinheiro. Fale connosco, por favor."),
}


def products_page(sold: Mapping[str, int], gateway: str) -> str:
    cards = "".join(card(each, sold.get(each["id"], 0)) for each in PRODUCTS.values())
    main = f"<main><h1>Das ilhas, para a sua casa</h1><ul>{cards}</ul></main>"
    return layout("Loja da Praia", main, scripts(gateway))


def card(product: Mapping[str, Any], sold: int) -> str:
    line = {0: "Seja o primeiro a comprar", 1: "1 vendido"}.get(sold, f"{sold} vendidos")
    name = escape(product["name"])
    return f"""<li class="card">{drawing(product["drawing"])}
<h2><bdi>{name}</bdi></h2>
<p>{escape(product["about"])}</p>
<p class="price">{money(product["price"])}</p>
<form method="post" action="/orders">
<input type="hidden" name="order" value="{uuid4()}">
<input type="hidden" name="product" value="{escape(product["id"])}">
<button>Comprar<span class="unseen"> {name}</span></button>
</form>
<p class="sold">{line}</p></li>"""


def order_page(order: Mapping[str, Any], gateway: str) -> str:
    status, price = order["status"], money(order["price"])
    title, text = TEXTS[status]
    is_waiting = status in ("NEW", "REFUNDING")
    buttons = {"NEW": ("pay", f"Pagar {price}", ""), "PAID": ("refund", "Cancelar a encomenda", ' class="quiet"')}
    action, label, look = buttons.get(status, ("", "", ""))
    button = f"<button{look}>{label}</button>"
    form = action and f'<form method="post" action="/orders/{order["id"]}/{action}">{button}</form>'
    picture = '<div class="ring"></div>' if is_waiting else drawing(CROSS if status == "REFUND_FAILED" else TICK)
    main = f"""<main class="order">{picture}
<h1>{title}</h1>
<p>{text}</p>
<p class="item"><bdi>{escape(PRODUCTS[order["product"]]["name"])}</bdi> <b>{price}</b></p>
{form}
<p><a href="/">Voltar à loja</a></p></main>"""
    refresh = '<noscript><meta http-equiv="refresh" content="5"></noscript>'
    return layout(title, main, refresh + scripts(gateway) if is_waiting else "")


def scripts(gateway: str) -> str:
    checkout = escape(f"{gateway}/pay/checkout.js")
    return f'<script src="{checkout}" defer></script><script src="/dialog.js" defer></script>'


def notice_page(title: str) -> str:
    main = f"<h1>{escape(title)}</h1><p>Volte à loja e tente de novo.</p>"
    return layout(title, f'<main class="order">{main}<p><a href="/">Voltar à loja</a></p></main>')


def layout(title: str, main: str, head: str = "") -> str:
    return f"""<!doctype html>
<html lang="pt-PT">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
{head}
</head>
<body>
<header><a href="/">Loja da Praia</a></header>
{main}
<footer>Uma loja de exemplo: nada é cobrado e nada é enviado.</footer>
</body>
</html>
"""


def drawing(path: str) -> str:
    return f'<svg class="drawing" viewBox="0 0 24 24" aria-hidden="true"><path d="{escape(path)}"/></svg>'


def money(centavos: int) -> str:
    """In local notation: 4.200$00 CVE"""
    whole, rest = divmod(centavos, 100)
    return f"{whole:,}".replace(",", ".") + f"${rest:02} CVE"


def page_headers(gateway: str) -> dict[str, str]:
    """Our pages load only our own files, and from the gateway its script and its page. Forms lead there too."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(gateway))
    policy = (
        f"default-src 'none'; style-src 'self'; script-src 'self' {origin}; connect-src 'self'; frame-src {origin}; "
        f"img-src data:; form-action 'self' {origin}; base-uri 'none'; frame-ancestors 'none'"
    )
    return {
        "content-security-policy": policy,
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    }
