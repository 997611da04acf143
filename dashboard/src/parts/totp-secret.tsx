import { t } from '../text/text.ts'
import { CopySecret } from './copy.tsx'
import { Qr } from './qr.tsx'
import styles from './totp-secret.module.css'

/** A TOTP secret to enrol: as a QR code, as text in groups of four, and as a link for a phone. */
export function TotpSecret({ totpSecret, otpauthUrl }: { totpSecret: string; otpauthUrl: string }) {
  const groups = totpSecret.match(/.{1,4}/g) ?? []
  return (
    <div className={styles['secret']}>
      <Qr text={otpauthUrl} label={t('totp.qr')} />
      <div className={styles['text']}>
        <p>{t('totp.scan')}</p>
        <p className={styles['muted']}>{t('totp.type')}</p>
        <code className={styles['groups']}>
          {groups.map((group, index) => (
            <span key={`${index}${group}`}>{group}</span>
          ))}
        </code>
        <div className={styles['actions']}>
          <CopySecret value={totpSecret} what={t('totp.key')} />
          <a href={otpauthUrl}>{t('totp.open')}</a>
        </div>
      </div>
    </div>
  )
}
