import { othersNeeded, type Thresholds } from '../../data/thresholds.ts'
import { t } from '../../text/text.ts'
import styles from './settings.module.css'

/** The consequences of the numbers for a new withdrawal. */
export function Effect({ thresholds }: { thresholds: Thresholds }) {
  const { ofPerson, ofApiKey } = othersNeeded(thresholds)
  return (
    <ul className={styles['effect']}>
      <li>
        {ofPerson === 0
          ? t('settings.personAlone')
          : t('settings.personNeeds', { count: ofPerson })}
      </li>
      <li>
        {ofApiKey === 0 ? t('settings.keyAlone') : t('settings.keyNeeds', { count: ofApiKey })}
      </li>
    </ul>
  )
}
