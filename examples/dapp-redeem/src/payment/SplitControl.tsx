import { useId, useState } from 'react'
import { formatUsd } from 'redeemkit'

export function SplitControl(props: {
  cents: number
  usdcCents: number
  /** The visitor's funds; unknown without a wallet. */
  has?: { creditsCents: number; usdcCents: number } | undefined
  isLocked: boolean
  onChange: (usdcCents: number) => void
  /** Called with `true` if the typed amount is valid. */
  onValid: (isValid: boolean) => void
}) {
  const { cents, usdcCents, has, isLocked, onChange, onValid } = props
  const id = useId()
  const [draft, setDraft] = useState<string>()
  const problem = draft === undefined ? undefined : problemOf(draft, cents)
  const type = (text: string | undefined) => {
    setDraft(text)
    onValid(text === undefined || problemOf(text, cents) === undefined)
  }
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
        // The maximum is the whole price, which need not be a multiple of the step.
        step={cents % 25 === 0 ? 25 : cents % 10 === 0 ? 10 : 1}
        value={usdcCents}
        style={{ '--part': `${(100 * usdcCents) / cents}%` } as React.CSSProperties} // React's type has no CSS variables.
        onChange={({ target }) => {
          type(undefined)
          onChange(Number(target.value))
        }}
      />
      <div className="split-field">
        <label htmlFor={id}>In USDC</label>
        <input
          id={id}
          className="text-input"
          inputMode="decimal"
          autoComplete="off"
          value={draft ?? (usdcCents / 100).toFixed(2)}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={({ target: { value } }) => {
            type(value)
            const read = centsOf(value, cents)
            if (read !== undefined) onChange(read)
          }}
          // Keeps an invalid amount, and shows its error.
          onBlur={() => problem === undefined && setDraft(undefined)}
        />
      </div>
      <p id={`${id}-problem`} className="field-problem" aria-live="polite">
        {problem}
      </p>
    </fieldset>
  )
}

function problemOf(text: string, maximumCents: number): string | undefined {
  if (centsOf(text, maximumCents) !== undefined) return undefined
  return centsOf(text, Number.MAX_SAFE_INTEGER) === undefined
    ? 'Enter dollars and cents, such as 4.50.'
    : `The price is ${formatUsd({ cents: maximumCents })}. Enter that or less.`
}

/** Parses `4`, `4.5` or `4.50` as cents; `undefined` for anything else, or above the maximum. */
export function centsOf(text: string, maximumCents: number): number | undefined {
  const [, whole, part = ''] = /^\$?(\d{1,6})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return cents <= maximumCents ? cents : undefined
}
