import { describe, expect, test } from 'vitest'
import { publicUrlOrEmpty } from './config-parsers.ts'

describe('the public URL', () => {
  test.each(['', 'https://pay.example.com/x', 'http://localhost:8080'])('may be %j', (url) => {
    expect(publicUrlOrEmpty(url)).toEqual({ value: url })
  })

  test.each([
    'http://pay.example.com',
    'https://192.0.2.7',
    'https://[::1]',
    'http://127.0.0.1:8080',
    'https://ann@pay.example.com',
    'pay.example.com',
    'ftp://localhost',
  ])('is refused if no passkey can be bound to it: %s', (url) => {
    expect(publicUrlOrEmpty(url)).toEqual({ wrong: expect.stringContaining('HTTPS URL') })
  })
})
