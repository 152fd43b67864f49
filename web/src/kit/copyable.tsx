import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

/** A text that a person passes on, with a button that copies it. */
export function Copyable({ text, label, done }: { text: string; label: string; done: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setCopied(true)
  }
  return (
    <button type="button" className="trace" onClick={copy} aria-label={copied ? done : label} title={label}>
      <span className="cut">{text}</span>
      {copied ? <Check className="ic ic-s" /> : <Copy className="ic ic-s" />}
    </button>
  )
}
