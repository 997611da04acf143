import styles from './code-block.module.css'
import { Copy } from './copy.tsx'

/** A text as it is, with a button that copies all of it. Long texts scroll in their own box. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles['block']}>
      {/* Scrolls, so that the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <span className={styles['copy']}>
        <Copy value={text} what={what} />
      </span>
    </div>
  )
}
