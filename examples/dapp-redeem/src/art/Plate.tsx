import { Moth } from './Moth.tsx'

/** A specimen in its window, before the lamp. */
export function Plate(props: { species: number; serial?: number; title?: string }) {
  return (
    <div className="plate">
      <Moth {...props} />
    </div>
  )
}
