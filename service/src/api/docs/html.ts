/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The id of a heading, as on GitHub; an error code keeps its capitals. */
export function anchorOf(heading: string): string {
  const text = heading.replaceAll('`', '').trim()
  if (/^[A-Z][A-Z0-9_]+$/.test(text)) return text
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s._-]/gu, '')
    .replaceAll('.', '')
    .replaceAll(/\s/g, '-')
}
