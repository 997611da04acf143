import qrcode from 'qrcode'

/** Lines with a new TOTP secret: as text and as a QR code for an authenticator app. */
export async function totpLines(given: {
  totpSecret: string
  otpauthUri: string
}): Promise<string[]> {
  const type = process.stdout.isTTY ? 'terminal' : 'utf8'
  const picture = await qrcode.toString(given.otpauthUri, { type, small: true })
  return [`TOTP secret (shown only once): ${given.totpSecret}`, given.otpauthUri, picture]
}
