const ERROR_LINE = /\b\w*Error\b|"level":"(?:error|fatal)"/;

/** The line of the last error, or else the last line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((candidate) => ERROR_LINE.test(candidate)) ?? lines.at(-1) ?? '';
  // Node.js prints the fields of an error in braces below it.
  return line.replace(/\s*\{$/, '').trim();
}
