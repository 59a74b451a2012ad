<?php

declare(strict_types=1);

/** Loads the library from its folder, as Composer would. */
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Zimbo\\'))) . '.php';
    if (str_starts_with($class, 'Zimbo\\') && is_file($file)) {
        require $file;
    }
});
