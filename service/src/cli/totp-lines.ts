import qrcode from 'qrcode'

/** Lines with a new TOTP secret: as text and as a QR code for an authenticator app. */
export async function totpLines(secret: {
  totpSecret: string
  otpauthUri: string
}): Promise<string[]> {
  const type = process.stdout.isTTY ? 'terminal' : 'utf8'
  const picture = await qrcode.toString(secret.otpauthUri, { type, small: true })
  return [`TOTP secret (shown only once): ${secret.totpSecret}`, secret.otpauthUri, picture]
}
