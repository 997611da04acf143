import en from './en.json' with { type: 'json' }

type Messages = typeof en
/** Forms of a text that depend on `count`; the language's plural rules choose one. */
interface Plural {
  one: string
  other: string
}
type KeysOf<Part, Before extends string = ''> = {
  [Key in keyof Part & string]: Part[Key] extends string | Plural
    ? `${Before}${Key}`
    : KeysOf<Part[Key], `${Before}${Key}.`>
}[keyof Part & string]

/** The key of a text, such as `deposits.title`. */
export type TextKey = KeysOf<Messages>

/** The language of all texts. A second one is another file of the shape of `en.json`. */
export const LANGUAGE = 'en'

const RULES = new Intl.PluralRules(LANGUAGE)

/**
 * The text of a key, with `{name}` replaced by its parameter. A text with plural forms needs
 * `count`. An absent parameter stays visible in braces.
 */
export function t(key: TextKey, params: Readonly<Record<string, string | number>> = {}): string {
  const found = find(key)
  const text = typeof found === 'string' ? found : pluralOf(found, params['count'])
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name]
    return value === undefined ? whole : String(value)
  })
}

/** A text of the service as a sentence: with a capital letter and a full stop. */
export function sentence(text: string): string {
  const capital = text.charAt(0).toLocaleUpperCase(LANGUAGE) + text.slice(1)
  return /[\p{L}\p{N}]$/u.test(capital) ? `${capital}.` : capital
}

function find(key: TextKey): string | Plural {
  let part: unknown = en
  for (const name of key.split('.')) part = childOf(part, name)
  return toText(part, key)
}

function childOf(part: unknown, name: string): unknown {
  return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined
}

function toText(found: unknown, key: string): string | Plural {
  if (typeof found === 'string') return found
  const [one, other] = [childOf(found, 'one'), childOf(found, 'other')]
  if (typeof one === 'string' && typeof other === 'string') return { one, other }
  throw new TypeError(`no text ${key}`)
}

function pluralOf({ one, other }: Plural, count: string | number | undefined): string {
  return RULES.select(Number(count)) === 'one' ? one : other
}
