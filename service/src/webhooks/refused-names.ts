/** Names without public DNS records, or with addresses of the local network only. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
]

/**
 * Public names that resolve to any address written into them, loopback and private ones included.
 */
const WILDCARD_SUFFIXES = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'traefik.me',
  'rbndr.us',
]

/**
 * Ports of services that execute arbitrary text and are never a webhook's: well-known ones of the
 * Fetch standard ("bad port"), and databases, caches, queues and control planes.
 */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445,
  465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989,
  990, 993, 995, 1080, 1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306,
  3389, 3659, 4045, 4190, 5060, 5061, 5432, 5433, 5672, 5900, 5984, 6000, 6379, 6380, 6432, 6443,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 8086, 8125, 9042, 9092, 9160, 9200,
  9300, 10080, 10250, 11211, 15672, 26257, 27017, 27018, 27019, 50000,
])

/** Whether a host name, in the URL parser's spelling, can be no receiver on the public internet. */
export function isRefusedName(host: string): boolean {
  // A name without a dot is completed by the machine's search list; a trailing dot hides a refused
  // suffix.
  if (!host.includes('.') || host.endsWith('.') || host.includes('..')) return true
  return [...PRIVATE_SUFFIXES, ...WILDCARD_SUFFIXES].some((suffix) => isUnder(host, suffix))
}

/** Whether a port, as the URL parser gives it (empty for the scheme's own), is refused. */
export function isRefusedPort(port: string): boolean {
  return port !== '' && REFUSED_PORTS.has(Number(port))
}

function isUnder(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`)
}
