/** What is paid, while its receipt is read from the chain, and when that cannot be read. */
export function PaidBefore(props: { title: string; hasFailed: boolean; onAgain: () => void }) {
  const { title, hasFailed, onAgain } = props
  return (
    <section className="card receipt" role="status">
      <div className="receipt-head">
        <span className="tick" aria-hidden="true">
          ✓
        </span>
        <h2>{title}</h2>
      </div>
      {hasFailed ? (
        <>
          <p>It is paid. The chain cannot be read right now, so its receipt is not here yet.</p>
          <button type="button" className="button button-plain" onClick={onAgain}>
            Read it again
          </button>
        </>
      ) : (
        <p>It is paid. Getting the receipt…</p>
      )}
    </section>
  )
}
