/** What stands in the form's place while it is not there. */
export type PlaceWords = { title: string; loading: string; failed: string; again: string }

/** Those of a language tag: Portuguese of any country, else English. */
export function placeWords(language: string): PlaceWords {
  return /^pt\b/i.test(language) ? portuguese : english
}

const english: PlaceWords = {
  title: 'Card payment',
  loading: 'Loading the card form…',
  failed: 'The card form could not be loaded. Check your connection, then try again.',
  again: 'Try again',
}
const portuguese: PlaceWords = {
  title: 'Pagamento com cartão',
  loading: 'Carregando o formulário do cartão…',
  failed: 'O formulário do cartão não pôde ser carregado. Verifique sua conexão e tente de novo.',
  again: 'Tentar de novo',
}
