<?php
// Runs the vectors of the PHP library where there is no PHPUnit, such as in a PHP that is WebAssembly.

declare(strict_types=1);

namespace PHPUnit\Framework {
    /** What the vectors need of PHPUnit. */
    abstract class TestCase
    {
        public static int $checks = 0;
        private ?string $awaited = null;

        public function expectException(string $class): void
        {
            $this->awaited = $class;
        }

        public function run(string $name): void
        {
            $this->awaited = null;
            try {
                $this->$name();
            } catch (\Throwable $error) {
                $this->awaited !== null && $error instanceof $this->awaited ? self::$checks++ : throw $error;
                return;
            }
            self::check($this->awaited === null, $this->awaited, 'nothing', $name);
        }

        public static function assertSame(mixed $expected, mixed $found, string $about = ''): void
        {
            self::check($expected === $found, $expected, $found, $about);
        }

        public static function assertEquals(mixed $expected, mixed $found, string $about = ''): void
        {
            self::check($expected == $found, $expected, $found, $about);
        }

        public static function assertArrayNotHasKey(string $key, array $found, string $about = ''): void
        {
            self::check(!array_key_exists($key, $found), "no $key", $found, $about);
        }

        public static function fail(string $about): never
        {
            throw new \LogicException($about);
        }

        private static function check(bool $holds, mixed $expected, mixed $found, string $about): void
        {
            self::$checks++;
            $holds || self::fail("$about: " . var_export($found, true) . ' instead of ' . var_export($expected, true));
        }
    }
}

namespace {
    error_reporting(E_ALL);
    // Deprecations count: a later PHP will refuse what this one only warns of.
    set_error_handler(static fn (int $level, string $message, string $file, int $line) =>
        throw new ErrorException("$message in $file:$line", 0, $level));
    require __DIR__ . '/../php/tests/autoload.php';
    require __DIR__ . '/../php/tests/VectorsTest.php';
    $library = __DIR__ . '/../php/src';
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($library, FilesystemIterator::SKIP_DOTS)) as $file) {
        // Compiles every file, so that none holds syntax which this PHP does not know. This one needs PSR's interfaces.
        if ($file->getFilename() !== 'Psr18Sender.php') {
            require_once $file->getPathname();
        }
    }
    $tests = new Zimbo\Tests\VectorsTest();
    foreach (get_class_methods($tests) as $name) {
        if (str_starts_with($name, 'test')) {
            $tests->run($name);
        }
    }
    printf("PHP %s: %d checks passed\n", PHP_VERSION, PHPUnit\Framework\TestCase::$checks);
}
