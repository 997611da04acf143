/** Base64url as hexadecimal digits. */
export function hexOf(base64url: string): string {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Array.from(text, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
