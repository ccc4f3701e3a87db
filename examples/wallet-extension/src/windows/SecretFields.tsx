import { useId } from 'react'
import type { Secret } from '../messages.ts'
import { Field } from './parts.tsx'
import { useText } from './useText.tsx'

export const noSecret: Secret = { kind: 'phrase', phrase: '' }

export function SecretFields(props: {
  secret: Secret
  problem: string | undefined
  onChange: (secret: Secret) => void
}) {
  const { secret, problem, onChange } = props
  const { text } = useText()
  const name = useId()
  const kinds: readonly Secret[] = [noSecret, { kind: 'key', key: '' }]
  return (
    <>
      <fieldset className="segments">
        <legend className="for-ears">{text('import.what')}</legend>
        {kinds.map((one) => (
          <label key={one.kind}>
            <input
              type="radio"
              name={name}
              checked={secret.kind === one.kind}
              onChange={() => onChange(one)}
            />
            <span>{text(`import.${one.kind}`)}</span>
          </label>
        ))}
      </fieldset>
      <Field label={text(`import.${secret.kind}`)} hint={text(`import.${secret.kind}Hint`)} problem={problem}>
        {(control) =>
          secret.kind === 'phrase' ? (
            <textarea
              {...control}
              rows={3}
              value={secret.phrase}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => onChange({ kind: 'phrase', phrase: target.value })}
            />
          ) : (
            <input
              {...control}
              type="password"
              value={secret.key}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ kind: 'key', key: target.value })}
            />
          )
        }
      </Field>
    </>
  )
}
