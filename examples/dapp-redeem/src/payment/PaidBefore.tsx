/** What is paid, while its receipt is read from the chain. */
export function PaidBefore(props: { title: string; explorerUrl: string | undefined }) {
  const { title, explorerUrl } = props
  return (
    <section className="card receipt" role="status">
      <div className="receipt-head">
        <span className="tick" aria-hidden="true">
          ✓
        </span>
        <h2>{title}</h2>
      </div>
      <p>It is paid. Getting the receipt from the chain…</p>
      {explorerUrl && (
        <p className="quiet">
          <a href={explorerUrl} target="_blank" rel="noreferrer">
            See it on the chain’s explorer
          </a>
        </p>
      )}
    </section>
  )
}
