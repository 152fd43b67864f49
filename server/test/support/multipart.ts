import { randomBytes } from 'node:crypto'

/** Encodes a multipart form with one file. */
export function multipart(
  { file = 'bytes', ...fields }: Record<string, unknown>,
  fileName = 'file.txt',
): { body: string; headers: Record<string, string> } {
  const boundary = `----gantry${randomBytes(8).toString('hex')}`
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
  const texts = Object.entries(fields).map(([name, value]) =>
    part(`name="${name}"`, typeof value === 'string' ? value : JSON.stringify(value)),
  )
  const body = `${texts.join('')}${part(`name="file"; filename="${fileName}"`, typeof file === 'string' ? file : JSON.stringify(file))}--${boundary}--\r\n`
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
