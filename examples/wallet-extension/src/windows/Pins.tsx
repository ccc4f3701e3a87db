import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Network, Pin } from '../messages.ts'
import { Button, Field, originText, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useAnswer } from './useWorker.tsx'

export function Pins(props: { networks: readonly Network[] }) {
  const { networks } = props
  const { text } = useText()
  const pins = useAnswer('pins', {})
  const [edited, setEdited] = useState<Pin | 'new'>()
  if (edited !== undefined)
    return (
      <PinForm
        pin={edited === 'new' ? undefined : edited}
        networks={networks}
        onDone={() => setEdited(undefined)}
      />
    )
  return (
    <section className="stack">
      <h2>{text('settings.pins')}</h2>
      <p className="quiet">{text('pins.hint')}</p>
      {pins?.length === 0 && <p className="empty">{text('pins.none')}</p>}
      <ul className="list">
        {pins?.map((pin) => (
          <li key={pin.id} className="row">
            <div className="grow">
              <strong>{pin.name}</strong>
              <div className="quiet small">
                {[
                  networks.find(({ chainId }) => chainId === pin.chainId)?.name,
                  ...pin.origins.map(originText),
                ].join(', ')}
              </div>
            </div>
            <Button isSlim label={text('pins.editOf', { name: pin.name })} onClick={() => setEdited(pin)}>
              {text('pins.edit')}
            </Button>
          </li>
        ))}
      </ul>
      <Button onClick={() => setEdited('new')}>{text('pins.add')}</Button>
    </section>
  )
}

type Typed = Record<TextField, string> & { chainId: string }
const textFields = [
  'name',
  'origins',
  'merchantId',
  'creditsContract',
  'creditSeed',
  'receivers',
  'serviceUrl',
  'maxGasFee',
] as const
type TextField = (typeof textFields)[number]

const defaultFee = '1.00'

const manyLines: readonly TextField[] = ['origins', 'receivers']

function typedOf(pin: Pin | undefined, networks: readonly Network[]): Typed {
  return {
    name: pin?.name ?? '',
    origins: pin?.origins.join('\n') ?? '',
    merchantId: pin?.merchantId ?? '',
    creditsContract: pin?.creditsContract ?? '',
    creditSeed: pin?.creditSeed ?? '',
    receivers: pin?.receivers.join('\n') ?? '',
    serviceUrl: pin?.serviceUrl ?? '',
    maxGasFee: pin === undefined ? defaultFee : (pin.maxGasFeeCents / 100).toFixed(2),
    chainId: String(pin?.chainId ?? networks[0]?.chainId),
  }
}

/** Reads a pasted pin in JSON as fields of the form, for the user to check. `undefined` for other text. */
function typedOfText(text: string, networks: readonly Network[]): Typed | undefined {
  let read: Record<string, unknown>
  try {
    read = Object(JSON.parse(text))
  } catch {
    return undefined
  }
  const known = networks.some(({ chainId }) => chainId === read.chainId)
  if (!known || textFields.some((field) => field !== 'maxGasFee' && read[field] === undefined))
    return undefined
  const lines = (value: unknown) => (Array.isArray(value) ? value : [value]).map(String).join('\n')
  const fields = textFields.map((field) => [field, lines(read[field] ?? defaultFee)])
  return { ...Object.fromEntries(fields), chainId: String(read.chainId) }
}

function pinOf(typed: Typed, id: string | undefined) {
  const lines = (text: string) => text.split(/[\s,]+/).filter((line) => line !== '')
  const [, dollars = '', cents = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(typed.maxGasFee.trim()) ?? []
  return {
    id,
    name: typed.name.trim(),
    origins: lines(typed.origins),
    merchantId: typed.merchantId.trim(),
    // The worker checks these values.
    creditsContract: typed.creditsContract.trim() as Pin['creditsContract'],
    creditSeed: typed.creditSeed.trim(),
    receivers: lines(typed.receivers) as Pin['receivers'][number][],
    serviceUrl: typed.serviceUrl.trim() || undefined,
    maxGasFeeCents: dollars === '' ? -1 : Number(dollars) * 100 + Number(cents.padEnd(2, '0')),
    chainId: Number(typed.chainId),
  }
}

function PinForm(props: { pin: Pin | undefined; networks: readonly Network[]; onDone: () => void }) {
  const { pin, networks, onDone } = props
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [typed, setTyped] = useState(() => typedOf(pin, networks))
  const [isUnread, setUnread] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Focuses the invalid field, which may be out of sight.
    if (failure !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failure])
  const wrong = failure?.field?.replace('maxGasFeeCents', 'maxGasFee').replace(/[.[].*/, '')
  const problemAt = (field: string) => (wrong === field ? text('failure.invalidPin') : undefined)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      await ask('savePin', { pin: pinOf(typed, pin?.id) })
      onDone()
    })
  }
  return (
    <form ref={form} className="stack" onSubmit={onSubmit}>
      <h2>{pin?.name ?? text('pins.add')}</h2>
      <p className="quiet">{text('pins.formHint')}</p>
      {pin === undefined && (
        <Field
          label={text('pins.paste')}
          hint={text('pins.pasteHint')}
          problem={isUnread ? text('pins.pasteUnread') : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              rows={2}
              spellCheck={false}
              onChange={({ target }) => {
                const read = typedOfText(target.value, networks)
                setUnread(read === undefined && target.value.trim() !== '')
                if (read !== undefined) setTyped(read)
              }}
            />
          )}
        </Field>
      )}
      <Field label={text('network')} problem={problemAt('chainId')}>
        {(control) => (
          <select
            {...control}
            value={typed.chainId}
            onChange={({ target }) => setTyped({ ...typed, chainId: target.value })}
          >
            {networks.map(({ chainId, name }) => (
              <option key={chainId} value={chainId}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {textFields.map((field) => {
        const control = {
          value: typed[field],
          spellCheck: false,
          onChange: ({ target }: { target: { value: string } }) =>
            setTyped({ ...typed, [field]: target.value }),
        }
        return (
          <Field
            key={field}
            label={text(`pin.${field}`)}
            hint={text(`pin.${field}Hint`)}
            problem={problemAt(field)}
          >
            {(more) =>
              manyLines.includes(field) ? (
                <textarea {...more} {...control} rows={2} />
              ) : (
                <input {...more} {...control} />
              )
            }
          </Field>
        )
      })}
      <Problem text={failure && wrong === undefined ? text(`failure.${failure.code}`) : undefined} />
      <div className="side-by-side">
        <Button onClick={onDone}>{text('cancel')}</Button>
        <Button type="submit" isPrimary isDisabled={isRunning}>
          {text('save')}
        </Button>
      </div>
      {pin !== undefined && (
        <button
          type="button"
          className="link-button"
          onClick={() =>
            run(async () => {
              await ask('removePin', { id: pin.id })
              onDone()
            })
          }
        >
          {text('pins.remove')}
        </button>
      )}
    </form>
  )
}
