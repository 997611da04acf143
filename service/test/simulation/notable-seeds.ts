/** Seeds that found a bug, with the bug. They are always played. */
export const NOTABLE_SEEDS: readonly { seed: string; found: string }[] = [
  { seed: '1', found: 'the first that was ever played' },
  { seed: '12', found: 'a repeated approval confirms a forged approval' },
  { seed: '32', found: 'an approval notices a tampered row' },
  { seed: '50006', found: 'a node of XRPL that lags knows no account, and a hole from 0 on' },
  { seed: '100376', found: 'a reorg takes the deposit that was to pay for a signed sweep' },
  {
    seed: '102654',
    found: 'a fee raised by a reorg leaves a signed sweep short of its fee',
  },
  { seed: '200231', found: 'a payment that a reorg removed is replaced as before' },
  { seed: '400537', found: 'a block read ahead makes a deposit deep enough, and is then undone' },
  { seed: '500712', found: 'a branch that came back was deeper than blocks may leave' },
  { seed: '940030', found: 'a node of TRON that lags makes an honest deposit look uncovered' },
  { seed: '940032', found: 'one of several has set less aside than its part of their fee' },
  { seed: '960633', found: 'a hold stays while a signed payment relies on it' },
  { seed: '970462', found: 'a platform fee uses the holds of others' },
  { seed: '701569', found: 'a node that lagged was taken for one that refuses to trace' },
  { seed: '435872', found: 'a machine of TRON that lags fails a withdrawal for its recipient' },
]
