/**
 * The page of an end user. Browsers resolve the segments `.` and `..` even if they are encoded, so
 * end users with these ids are found through the list.
 */
export function userHref(userId: string): string {
  const id = encodeURIComponent(userId)
  return userId === '.' || userId === '..' ? `/accounts?userId=${id}` : `/accounts/${id}`
}

/** The end user of a page's path, `/accounts/` and the encoded id; null in other paths. */
export function userIdIn(path: string): string | null {
  const [, id] = /\/accounts\/([^/]+)\/?$/.exec(path) ?? []
  if (id === undefined) return null
  try {
    return decodeURIComponent(id)
  } catch {
    return null
  }
}
