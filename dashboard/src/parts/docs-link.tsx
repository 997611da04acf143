import { useRouter } from 'wouter'
import { t } from '../text/text.ts'
import styles from './docs-link.module.css'
import { Icon } from './icon.tsx'

/** A page of the documentation that the service serves; opened in a new tab. */
export function DocsLink({ page, text }: { page: string; text: string }) {
  const { base } = useRouter()
  return (
    <a
      className={styles['link']}
      href={`${base.replace(/\/dashboard$/, '')}/docs/${page}`}
      target="_blank"
      rel="noopener noreferrer"
      title={t('docs.newTab')}
    >
      {text}
      <Icon name="external" />
    </a>
  )
}
