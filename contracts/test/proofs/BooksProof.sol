// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Books} from "../../src/Books.sol";
import {Totals} from "../../src/Totals.sol";

/// @title Every credit and every fee is backed by USDC
/// @notice Never deployed: `contracts/prove.mjs` proves every assertion, for all arguments and all states that satisfy
/// the invariant. The constructor shows that the invariant holds initially. Each function shows that it still holds
/// afterwards.
/// @dev `Books` is the real code, and the rest is a model. Each function here calls `Books`, and tracks USDC like the
/// function of the same name in `Credits` or `CreditsExtension`. Signatures, roles, orders and reentrancy are not
/// modelled.
contract BooksProof is Books {
    using Totals for uint256;

    /// @dev Sum of all entries of `_credits`, fees and held USDC, each tracked independently of `Books`.
    uint256 private _sum;
    uint256 private _fees;
    uint256 private _usdc;

    constructor() {
        assert(_totals.credits() == _sum);
        assert(_totals.fees() == _fees);
        assert(_totals.credits() + _totals.fees() <= Totals.MAX_OWED);
        assert(_totals.credits() + _totals.fees() <= _usdc);
    }

    /// @dev The invariant before and after a function that changes at most the credits of one wallet.
    modifier keepsInvariant(bytes32 seed, address wallet) {
        require(_totals.credits() == _sum);
        require(_totals.fees() == _fees);
        require(_totals.credits() + _totals.fees() <= Totals.MAX_OWED);
        require(_totals.credits() + _totals.fees() <= _usdc);
        uint256 before = _credits[seed][wallet];
        // True for every sum of natural numbers.
        require(before <= _sum);
        _;
        _sum = _sum - before + _credits[seed][wallet];
        assert(_totals.credits() == _sum);
        assert(_totals.fees() == _fees);
        assert(_totals.credits() + _totals.fees() <= Totals.MAX_OWED);
        assert(_totals.credits() + _totals.fees() <= _usdc);
    }

    /// @dev Only one wallet's credits change.
    modifier keepsOthers(bytes32 seed, address wallet, bytes32 otherSeed, address otherWallet) {
        require(otherSeed != seed || otherWallet != wallet);
        uint256 before = _credits[otherSeed][otherWallet];
        _;
        assert(_credits[otherSeed][otherWallet] == before);
    }

    function mint(bytes32 seed, address wallet, uint256 amount) external keepsInvariant(seed, wallet) {
        _usdc += amount;
        _addCredits(seed, wallet, amount);
    }

    function burn(string calldata creditSeed, bytes32 seed, address wallet, uint256 amount)
        external
        keepsInvariant(seed, wallet)
    {
        _charge(creditSeed, seed, wallet, amount, 0);
        _usdc -= amount;
    }

    /// @dev The settlement takes `amount`, except the part that is refunded.
    function redeem(
        string calldata creditSeed,
        bytes32 seed,
        address wallet,
        uint256 amount,
        uint256 usdcAmount,
        uint256 gasFee,
        uint256 refunded
    ) external keepsInvariant(seed, wallet) {
        require(usdcAmount <= amount && refunded <= amount);
        _charge(creditSeed, seed, wallet, amount - usdcAmount + gasFee, gasFee);
        _fees += gasFee;
        _usdc += usdcAmount;
        _usdc -= amount - refunded;
        if (refunded != 0) _addCredits(seed, wallet, refunded);
    }

    function withdrawFees() external keepsInvariant(0, address(0)) {
        uint256 amount = _takeFees();
        _fees -= amount;
        _usdc -= amount;
    }

    function creditEarlyAuthorization(bytes32 seed, address wallet, uint256 value)
        external
        keepsInvariant(seed, wallet)
    {
        require(_usdc > _owed() && value <= _usdc - _owed());
        _addCredits(seed, wallet, value);
    }

    /// @dev Anyone may send USDC.
    function receiveUsdc(uint256 value) external keepsInvariant(0, address(0)) {
        _usdc += value;
    }

    function setPausedUntil(uint40 until) external keepsInvariant(0, address(0)) {
        _totals = _totals.withPause(until);
    }

    function setOwnContract(uint56 bits) external keepsInvariant(0, address(0)) {
        _totals = _totals.withFilter(bits);
    }

    function chargeOf(
        string calldata creditSeed,
        bytes32 seed,
        address wallet,
        uint256 charged,
        uint256 gasFee,
        bytes32 otherSeed,
        address otherWallet
    ) external keepsOthers(seed, wallet, otherSeed, otherWallet) {
        uint256 before = _credits[seed][wallet];
        _charge(creditSeed, seed, wallet, charged, gasFee);
        assert(_credits[seed][wallet] == before - charged);
    }

    function addCreditsOf(bytes32 seed, address wallet, uint256 amount, bytes32 otherSeed, address otherWallet)
        external
        keepsOthers(seed, wallet, otherSeed, otherWallet)
    {
        uint256 before = _credits[seed][wallet];
        _addCredits(seed, wallet, amount);
        assert(_credits[seed][wallet] == before + amount);
    }
}
