/**
 * Programs around the recipes of docs/webhooks.md. Each reads a delivery from its environment and
 * the raw body from standard input, and prints whether the delivery is genuine.
 */

interface Recipe {
  /** A name for people. */
  name: string;
  /** The language of its block, and a text that only this block contains. */
  language: string;
  holds: string;
  /** The programs that must be installed. */
  program: string;
  /** The other files, next to the recipe, which is `recipe`. */
  files: Record<string, string>;
  recipe: string;
  /** How to prepare and run it. */
  prepare?: string[];
  run: string[];
}

const nodeBody = `import { buffer } from 'node:stream/consumers';
const rawBody = await buffer(process.stdin);
`;

/** The libraries throw for deliveries that are not genuine. */
const throwing = `${nodeBody}
import { eventOf } from './recipe.mjs';
const headers = JSON.parse(process.env.HEADERS);
try {
  await eventOf(rawBody, headers);
  console.log('genuine');
} catch {
  console.log('forged');
}
`;

export const recipes: Recipe[] = [
  {
    name: 'the SDK',
    language: 'js',
    holds: '@zimbo/sdk',
    program: 'node',
    recipe: 'recipe.mjs',
    files: { 'main.mjs': throwing },
    run: ['node', 'main.mjs'],
  },
  {
    name: 'a library of Standard Webhooks',
    language: 'js',
    holds: "'standardwebhooks'",
    program: 'node',
    recipe: 'recipe.mjs',
    files: { 'main.mjs': throwing },
    run: ['node', 'main.mjs'],
  },
  {
    name: 'Node',
    language: 'js',
    holds: 'createHmac',
    program: 'node',
    recipe: 'recipe.mjs',
    files: {
      'main.mjs': `${nodeBody}
import { isGenuine } from './recipe.mjs';
const { SECRET, TIMESTAMP, SIGNATURES } = process.env;
const genuine = isGenuine(SECRET, TIMESTAMP, SIGNATURES.split(' '), rawBody);
console.log(genuine ? 'genuine' : 'forged');
`,
    },
    run: ['node', 'main.mjs'],
  },
  {
    name: 'Python',
    language: 'python',
    holds: 'def is_genuine',
    program: 'python3',
    recipe: 'recipe.py',
    files: {
      'main.py': `import os
import sys

from recipe import is_genuine

genuine = is_genuine(
    os.environ["SECRET"],
    os.environ["TIMESTAMP"],
    os.environ["SIGNATURES"].split(" "),
    sys.stdin.buffer.read(),
)
print("genuine" if genuine else "forged")
`,
    },
    run: ['python3', 'main.py'],
  },
  {
    name: 'PHP',
    language: 'php',
    holds: 'function is_genuine',
    program: 'php',
    recipe: 'recipe.inc',
    files: {
      'main.php': `<?php
eval(file_get_contents(__DIR__ . '/recipe.inc'));
$signatures = explode(' ', getenv('SIGNATURES'));
$rawBody = file_get_contents('php://stdin');
echo is_genuine(getenv('SECRET'), getenv('TIMESTAMP'), $signatures, $rawBody) ? 'genuine' : 'forged';
`,
    },
    run: ['php', 'main.php'],
  },
  {
    name: 'Go',
    language: 'go',
    holds: 'func IsGenuine',
    program: 'go',
    recipe: 'webhooks/webhooks.go',
    files: {
      'go.mod': 'module recipe\n\ngo 1.21\n',
      'main.go': `package main

import (
	"fmt"
	"io"
	"os"
	"recipe/webhooks"
	"strings"
)

func main() {
	rawBody, _ := io.ReadAll(os.Stdin)
	signatures := strings.Split(os.Getenv("SIGNATURES"), " ")
	if webhooks.IsGenuine(os.Getenv("SECRET"), os.Getenv("TIMESTAMP"), signatures, rawBody) {
		fmt.Println("genuine")
	} else {
		fmt.Println("forged")
	}
}
`,
    },
    prepare: ['go', 'build', '-o', 'main', '.'],
    run: ['./main'],
  },
  {
    name: 'Java',
    language: 'java',
    holds: 'class Webhooks',
    program: 'javac',
    recipe: 'Webhooks.java',
    files: {
      'Main.java': `import java.util.List;

public final class Main {
  public static void main(String[] arguments) throws Exception {
    List<String> signatures = List.of(System.getenv("SIGNATURES").split(" "));
    byte[] rawBody = System.in.readAllBytes();
    boolean genuine =
        Webhooks.isGenuine(
            System.getenv("SECRET"), System.getenv("TIMESTAMP"), signatures, rawBody);
    System.out.println(genuine ? "genuine" : "forged");
  }
}
`,
    },
    prepare: ['javac', 'Webhooks.java', 'Main.java'],
    run: ['java', '-Xshare:auto', '-cp', '.', 'Main'],
  },
];
