/** Networks as they are typed: one in a line, or separated by commas or spaces. */
export function networksIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((network) => network !== '')
}
