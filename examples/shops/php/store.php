<?php
// Where the shop keeps its orders: SQLite if PHP has it, otherwise a file.
declare(strict_types=1);

final class Order
{
    public function __construct(
        public readonly string $id,
        public readonly string $product,
        /** In centavos. */
        public readonly int $price,
        /** NEW, PAID, REFUNDING, REFUNDED or REFUND_FAILED. */
        public string $status = 'NEW',
        /** How many checkout sessions it has had: each is a key of its own. */
        public int $attempt = 1,
        public ?string $session = null,
        public ?string $payment = null,
        public ?string $refund = null,
    ) {
    }
}

interface Store
{
    /** Does nothing if the order is there already. */
    public function add(Order $order): void;

    public function find(string $id): ?Order;

    /** @return array<string, int> how many of each product were sold */
    public function sold(): array;

    /**
     * Changes an order, if it is there, while nobody else can. An event that caused the change is remembered in the
     * same write, so that it does nothing when it arrives again.
     */
    public function change(string $id, Closure $change, ?string $eventId = null): void;
}

function openStore(string $folder): Store
{
    $hasSqlite = extension_loaded('pdo_sqlite');
    return $hasSqlite ? new SqliteStore("$folder/shop.sqlite") : new FileStore("$folder/shop.json");
}

final class SqliteStore implements Store
{
    private readonly PDO $database;

    public function __construct(string $file)
    {
        $this->database = new PDO("sqlite:$file", options: [PDO::ATTR_TIMEOUT => 10]);
        $this->database->exec('CREATE TABLE IF NOT EXISTS orders (
            id TEXT PRIMARY KEY, product TEXT NOT NULL, price INTEGER NOT NULL, status TEXT NOT NULL,
            attempt INTEGER NOT NULL, session TEXT, payment TEXT, refund TEXT)');
        $this->database->exec('CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)');
    }

    public function add(Order $order): void
    {
        $values = array_values((array) $order);
        $this->run('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING', $values);
    }

    public function find(string $id): ?Order
    {
        $row = $this->run('SELECT * FROM orders WHERE id = ?', [$id])->fetch(PDO::FETCH_ASSOC);
        return $row ? new Order(...$row) : null;
    }

    public function sold(): array
    {
        $rows = $this->run("SELECT product, count(*) FROM orders WHERE status = 'PAID' GROUP BY product");
        return $rows->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    public function change(string $id, Closure $change, ?string $eventId = null): void
    {
        // If this fails half-way, PHP closes the database without COMMIT, which undoes all of it.
        $this->database->exec('BEGIN IMMEDIATE');
        $remember = 'INSERT INTO events VALUES (?) ON CONFLICT DO NOTHING';
        $isNew = $eventId === null || $this->run($remember, [$eventId])->rowCount() === 1;
        if ($isNew && $order = $this->find($id)) {
            $change($order);
            $this->run(
                'UPDATE orders SET status = ?, attempt = ?, session = ?, payment = ?, refund = ? WHERE id = ?',
                [$order->status, $order->attempt, $order->session, $order->payment, $order->refund, $id],
            );
        }
        $this->database->exec('COMMIT');
    }

    /** @param list<mixed> $values */
    private function run(string $statement, array $values = []): PDOStatement
    {
        $prepared = $this->database->prepare($statement);
        $prepared->execute($values);
        return $prepared;
    }
}

final class FileStore implements Store
{
    public function __construct(private readonly string $file)
    {
    }

    public function add(Order $order): void
    {
        $this->write(static function (array $all) use ($order): array {
            $all['orders'] += [$order->id => (array) $order];
            return $all;
        });
    }

    public function find(string $id): ?Order
    {
        $order = $this->read()['orders'][$id] ?? null;
        return $order === null ? null : new Order(...$order);
    }

    public function sold(): array
    {
        $paid = array_filter($this->read()['orders'], static fn (array $order): bool => $order['status'] === 'PAID');
        return array_count_values(array_column($paid, 'product'));
    }

    public function change(string $id, Closure $change, ?string $eventId = null): void
    {
        $this->write(static function (array $all) use ($id, $change, $eventId): array {
            if (isset($all['events'][$eventId ?? ''])) {
                return $all;
            }
            if (isset($all['orders'][$id])) {
                $order = new Order(...$all['orders'][$id]);
                $change($order);
                $all['orders'][$id] = (array) $order;
            }
            if ($eventId !== null) {
                $all['events'][$eventId] = true;
            }
            return $all;
        });
    }

    /** @return array{orders: array<string, array<string, mixed>>, events: array<string, bool>} */
    private function read(): array
    {
        return is_file($this->file)
            ? json_decode(file_get_contents($this->file), true, flags: JSON_THROW_ON_ERROR)
            : ['orders' => [], 'events' => []];
    }

    /** Writes all of the file or nothing, and waits for the disk. One process at a time. */
    private function write(Closure $change): void
    {
        $lock = fopen("$this->file.lock", 'c');
        flock($lock, LOCK_EX);
        $all = $this->read();
        $changed = $change($all);
        if ($changed === $all) {
            return;
        }
        $temporary = fopen("$this->file.new", 'w');
        fwrite($temporary, json_encode($changed, JSON_THROW_ON_ERROR));
        if (!fsync($temporary) || !rename("$this->file.new", $this->file)) {
            throw new RuntimeException("Cannot write $this->file");
        }
    }
}
