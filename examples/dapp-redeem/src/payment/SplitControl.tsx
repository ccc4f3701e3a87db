import { useId, useState } from 'react'
import { formatUsd } from 'redeemkit'

/** Splits a price between credits and USDC, with a slider and a text field. */
export function SplitControl(props: {
  cents: number
  usdcCents: number
  /** The visitor's funds; unknown without a wallet. */
  has?: { creditsCents: number; usdcCents: number } | undefined
  isLocked: boolean
  onChange: (usdcCents: number) => void
}) {
  const { cents, usdcCents, has, isLocked, onChange } = props
  const id = useId()
  const credits = formatUsd({ cents: cents - usdcCents })
  const usdc = formatUsd({ cents: usdcCents })
  return (
    <fieldset disabled={isLocked}>
      <legend>Pay with</legend>
      <div className="split-sides">
        <p>
          <span className="quiet">USDC</span>
          <span className="money">{usdc}</span>
          {has && <span className="quiet">of {formatUsd({ cents: has.usdcCents })}</span>}
        </p>
        <p>
          <span className="quiet">Credits</span>
          <span className="money">{credits}</span>
          {has && <span className="quiet">of {formatUsd({ cents: has.creditsCents })}</span>}
        </p>
      </div>
      <input
        className="split-range"
        type="range"
        aria-label="Part in USDC"
        aria-valuetext={`${usdc} in USDC, ${credits} from credits`}
        min={0}
        max={cents}
        // The maximum is the whole price, whether or not it is a multiple of the step.
        step={cents % 25 === 0 ? 25 : cents % 10 === 0 ? 10 : 1}
        value={usdcCents}
        style={{ '--part': `${(100 * usdcCents) / cents}%` } as React.CSSProperties} // React's type knows no variables
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <div className="split-field">
        <label htmlFor={id}>In USDC</label>
        <AmountField id={id} cents={usdcCents} maximumCents={cents} onChange={onChange} />
      </div>
    </fieldset>
  )
}

/** A text field for dollars and cents. Invalid amounts are ignored and marked. */
function AmountField(props: {
  id: string
  cents: number
  maximumCents: number
  onChange: (cents: number) => void
}) {
  const { id, cents, maximumCents, onChange } = props
  const [draft, setDraft] = useState<string>()
  const isWrong = draft !== undefined && centsOf(draft, maximumCents) === undefined
  return (
    <input
      id={id}
      className="text-input"
      inputMode="decimal"
      autoComplete="off"
      value={draft ?? (cents / 100).toFixed(2)}
      aria-invalid={isWrong}
      onChange={({ target: { value } }) => {
        setDraft(value)
        const read = centsOf(value, maximumCents)
        if (read !== undefined) onChange(read)
      }}
      onBlur={() => setDraft(undefined)}
    />
  )
}

/** Parses `4`, `4.5` or `4.50` as cents; `undefined` for anything else, or above the maximum. */
export function centsOf(text: string, maximumCents: number): number | undefined {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return cents <= maximumCents ? cents : undefined
}
