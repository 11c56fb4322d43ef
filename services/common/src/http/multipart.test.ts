import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { readForm } from './form.js';
import { boundaryOf, readParts } from './multipart.js';

const BOUNDARY = '----WebKitFormBoundaryAbC123xyz';

interface Part {
  name: string;
  filename: string | undefined;
  content: string;
}

async function read(body: string | Buffer, chunkBytes: number): Promise<Part[]> {
  const bytes = Buffer.from(body);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes)
      yield await Promise.resolve(bytes.subarray(start, start + chunkBytes));
  }
  const parts: Part[] = [];
  for await (const { name, filename, content } of readParts(chunks(), BOUNDARY)) {
    const part = { name, filename, content: '' };
    for await (const piece of content) part.content += piece.toString('latin1');
    parts.push(part);
  }
  return parts;
}

const part = (head: string, content: string): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`;
const named = (parameters: string): string => `Content-Disposition: form-data; ${parameters}`;

const CHUNKS = [1, 2, 3, 7, 64, 10_000];

test.each([
  ['text', ['سلام', 'name="content"', 'content', undefined]],
  ['a quote in the file name', ['x', 'name="image"; filename="a"b.jpg"', 'image', 'a"b.jpg']],
  ['an escaped quote before a semicolon', ['x', 'name="image"; filename="a\\"; b.jpg"', 'image', 'a\\']],
  [
    'blanks and parentheses without quotes',
    ['x', 'name=image; filename=my photo (1).jpg', 'image', 'my photo (1).jpg'],
  ],
  ['a trailing semicolon', ['x', 'name="image"; filename="a.jpg";', 'image', 'a.jpg']],
  ['a broken encoded file name', ['x', 'name="image"; filename*=UTF-8\'\'%E0%A4%A', 'image', "UTF-8''%E0%A4%A"]],
  ['a file name of a Windows path', ['x', 'name="image"; filename="C:\\photos\\a.jpg"', 'image', 'C:\\photos\\a.jpg']],
  ['a file name without its last quote', ['x', 'name="image"; filename="a.jpg', 'image', '"a.jpg']],
  ['a parameter without a value', ['x', 'name="image"; filename', 'image', '']],
  ['an empty file name', ['', 'name="image"; filename=""', 'image', '']],
  ['capitals and blanks', ['x', ' NAME = "image" ;FILENAME = "a.jpg" ', 'image', 'a.jpg']],
  ['a folded line', ['x', 'name="image";\r\n\tfilename="a.jpg"', 'image', 'a.jpg']],
  ['a name in Arabic', ['x', 'name="صورة"', 'صورة', undefined]],
  ['content that looks like a boundary', ['\r\n--\r\n-----WebKit\r\n', 'name="content"', 'content', undefined]],
] as const)('reads %s for any chunk size', async (_title, [content, parameters, name, filename]) => {
  const body = form(part(named(parameters), content), part(named('name="userId"'), '7'));
  const first = { name, filename, content: Buffer.from(content).toString('latin1') };
  for (const size of CHUNKS) {
    expect(await read(body, size)).toEqual([first, { name: 'userId', filename: undefined, content: '7' }]);
  }
});

test('reads bytes unchanged, and an empty part whose boundary follows at once', async () => {
  const bytes = Buffer.alloc(3_000, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
  const empty = `--${BOUNDARY}\r\n${named('name="promptId"')}\r\n\r\n`;
  const head = `--${BOUNDARY}\r\n${named('name="image"; filename="a"')}\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(empty + head), bytes, Buffer.from(`\r\n--${BOUNDARY}--`)]);
  for (const size of CHUNKS)
    expect(await read(body, size)).toEqual([
      { name: 'promptId', filename: undefined, content: '' },
      { name: 'image', filename: 'a', content: bytes.toString('latin1') },
    ]);
});

describe('refuses a form with', () => {
  const text = part(named('name="content"'), 'x');
  test.each([
    ['a part without a name', form(text, part('Content-Disposition: form-data', 'x'))],
    ['an empty name', form(text, part(named('name=""'), 'x'))],
    ['two names in one part', form(part(named('name="image"; filename="a"; name="content"'), 'x'))],
    ['another disposition', form(text, part('Content-Disposition: attachment; name="image"', 'x'))],
    ['a part without a disposition', form(text, part('Content-Type: image/png', 'x'))],
    ['a part without a head', form(text, `--${BOUNDARY}\r\n\r\nx\r\n`)],
    ['two dispositions', form(part(`${named('name="a"')}\r\n${named('name="b"')}`, 'x'))],
    ['a line that is no header', form(part(`${named('name="a"')}\r\nnothing`, 'x'))],
    ['a line break of one character', form(text).replaceAll('\r\n', '\n')],
    ['encoded content', form(part(`${named('name="a"')}\r\nContent-Transfer-Encoding: base64`, 'eA=='))],
    ['text before the first boundary', `lost${form(text)}`],
    ['a first part without its boundary', `${named('name="a"')}\r\n\r\nlost\r\n${form(text)}`],
    ['text after the last boundary', `${form(text)}lost`],
    ['parts after the last boundary', form(text) + form(text)],
    ['a boundary that goes on', form(text).replace(`${BOUNDARY}--`, `${BOUNDARY}0`)],
    ['text after a boundary', form(text).replace(BOUNDARY, `${BOUNDARY} lost`)],
    ['half a closing boundary', form(text).slice(0, -3)],
    ['no closing boundary', text],
    ['nothing', ''],
    ['a head without an end', `--${BOUNDARY}\r\n${'a'.repeat(100_000)}`],
    ['a boundary line without an end', `--${BOUNDARY}${' '.repeat(100_000)}`],
  ])('%s', async (_title, body) => {
    for (const size of [3, 64, 10_000]) await expect(read(body, size)).rejects.toMatchObject({ code: 'malformed' });
  });
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; boundary="a b:c"; charset=utf-8', 'a b:c'],
  ['Multipart/Form-Data;Boundary=a=b', 'a=b'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
])('the boundary of %s is %s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});

test.each([
  ['a text', named('name="avatar"'), { text: { avatar: 'x' }, file: '' }],
  ['a file of text', `${named('name="avatar"; filename="a"')}\r\nContent-Type: text/plain`, { text: {}, file: 'x' }],
  ['a file without a name', `${named('name="avatar"')}\r\nContent-Type: image/png`, { text: {}, file: 'x' }],
])('a part that may be text or a file is read as %s', async (_what, head, expected) => {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const request = Object.assign(Readable.from([Buffer.from(form(part(head, 'x')))]), { headers });
  const read = readForm(request, { file: 'avatar', mayBeText: true, maxBytes: 10 });
  let file = '';
  for await (const piece of read) file += piece.toString();
  expect({ text: read.fields(), file }).toEqual(expected);
});
