export function Footer() {
  return (
    <footer className="footer">
      <div className="inner">
        <p>Lampfall, a moth house. Nobody was pinned: none of them ever was.</p>
        <p>You sign, and need no coins for gas.</p>
      </div>
    </footer>
  )
}
