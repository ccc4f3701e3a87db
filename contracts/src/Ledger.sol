// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {Roles} from "./Roles.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title The books: credits, fees, and the USDC behind them
/// @dev Backing: `usdc.balanceOf(this) >= totalCredits + feesOwed` before and after every call. One transient lock covers
/// everything that moves money, so that nothing observes or uses the balance in the middle of a merchant's call.
abstract contract Ledger is Roles, ReentrancyGuardTransient {
    using SafeERC20 for IUsdc;

    /// @dev Credits and fees together stay within this: 1.2 quintillion USD. USDC's supply is far below it.
    uint256 private constant MAX_OWED = type(uint80).max;
    /// @dev One unit of fees in `_totals`.
    uint256 private constant FEE_UNIT = 1 << 80;
    uint256 private constant PAUSE_SHIFT = 160;
    uint256 private constant FILTER_SHIFT = 200;
    uint256 private constant FILTER_SIZE = 56;
    uint256 private constant PAUSE_MASK = uint256(type(uint40).max) << PAUSE_SHIFT;

    /// @inheritdoc ICredits
    IUsdc public immutable usdc;

    /// @dev One slot, which every redeem reads and writes once: all credits in bits 0 to 79, all fees in bits 80 to 159, the end
    /// of the pause in bits 160 to 199, a filter of our own contracts in bits 200 to 255.
    uint256 private _totals;
    mapping(address account => bool) private _ownContracts;
    mapping(bytes32 creditSeedHash => mapping(address wallet => uint256)) private _credits;

    /// @inheritdoc ICredits
    address public feeRecipient;

    constructor(IUsdc usdc_, address feeRecipient_) {
        if (address(usdc_).code.length == 0) revert TargetWithoutCode(address(usdc_));
        usdc = usdc_;
        _setFeeRecipient(feeRecipient_);
    }

    /// @inheritdoc ICredits
    function mint(string calldata creditSeed, address wallet, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyRole(MINTER_ROLE)
    {
        if (wallet == address(0)) revert ZeroAddress("wallet");
        if (amount == 0) revert ZeroAmount();
        uint256 balance = _balance();
        usdc.safeTransferFrom(msg.sender, address(this), amount);
        _requireReceived(balance, amount);

        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _addCredits(creditSeedHash, wallet, amount);
        emit Minted(creditSeedHash, wallet, creditSeed, amount);
    }

    /// @inheritdoc ICredits
    function burn(string calldata creditSeed, address wallet, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyRole(MINTER_ROLE)
    {
        _burn(creditSeed, wallet, amount);
    }

    /// @inheritdoc ICredits
    function withdrawFees() external nonReentrant whenNotPaused returns (uint256 amount) {
        address recipient = feeRecipient;
        amount = feesOwed();
        _totals -= amount * FEE_UNIT;
        emit FeesWithdrawn(recipient, amount);
        usdc.safeTransfer(recipient, amount);
        _requireSolvent();
    }

    /// @inheritdoc ICredits
    function setFeeRecipient(address recipient) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setFeeRecipient(recipient);
    }

    /// @inheritdoc ICredits
    function isOwnContract(address account) public view returns (bool) {
        // Two bits say no for nearly every account, from a slot that is read anyway. Bits of a removed contract stay.
        uint256 filter = _filterOf(account);
        return _totals & filter == filter && _ownContracts[account];
    }

    /// @inheritdoc ICredits
    function creditsOf(string calldata creditSeed, address wallet) public view returns (uint256) {
        return _credits[keccak256(bytes(creditSeed))][wallet];
    }

    /// @inheritdoc ICredits
    function getCreditsBalance(address wallet, string calldata creditSeed) external view returns (uint256) {
        return creditsOf(creditSeed, wallet);
    }

    /// @inheritdoc ICredits
    function totalCredits() public view returns (uint256) {
        return _totals & MAX_OWED;
    }

    /// @inheritdoc ICredits
    function feesOwed() public view returns (uint256) {
        return (_totals / FEE_UNIT) & MAX_OWED;
    }

    /// @inheritdoc ICredits
    function surplus() external view nonReentrantView returns (uint256) {
        return _surplus();
    }

    /// @inheritdoc ICredits
    function solvency() external view nonReentrantView returns (uint256 excess, uint256 shortage) {
        excess = _surplus();
        if (excess == 0) shortage = _owed() - _balance();
    }

    function _pausedUntil() internal view override returns (uint256) {
        return (_totals & PAUSE_MASK) >> PAUSE_SHIFT;
    }

    function _setPausedUntil(uint40 until) internal override {
        _totals = (_totals & ~PAUSE_MASK) | uint256(until) << PAUSE_SHIFT;
    }

    /// @dev Pays out what backs credits, to the wallet that they belong to.
    function _burn(string calldata creditSeed, address wallet, uint256 amount) internal {
        if (wallet == address(this)) revert ForbiddenTarget(wallet);
        if (amount == 0) revert ZeroAmount();
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _charge(creditSeed, creditSeedHash, wallet, amount, 0);
        emit Burned(creditSeedHash, wallet, creditSeed, amount);
        usdc.safeTransfer(wallet, amount);
        _requireSolvent();
    }

    function _setOwnContract(address account, bool own) internal {
        _ownContracts[account] = own;
        if (own) _totals |= _filterOf(account);
        emit OwnContractSet(account, own);
    }

    function _charge(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        address wallet,
        uint256 charged,
        uint256 gasFee
    ) internal {
        if (charged == 0) return;
        mapping(address wallet => uint256) storage credits = _credits[creditSeedHash];
        uint256 balance = credits[wallet];
        if (balance < charged) revert InsufficientCredits(creditSeed, wallet, balance, charged);
        unchecked {
            // `gasFee <= charged <= balance <= all credits`, and credits and fees together stay below `MAX_OWED`.
            credits[wallet] = balance - charged;
            _totals = _totals - charged + gasFee * FEE_UNIT;
        }
    }

    function _addCredits(bytes32 creditSeedHash, address wallet, uint256 amount) internal {
        _credits[creditSeedHash][wallet] += amount;
        uint256 owed = _owed() + amount;
        if (owed > MAX_OWED) revert TooManyCredits(owed, MAX_OWED);
        _totals += amount;
    }

    function _balance() internal view returns (uint256) {
        return usdc.balanceOf(address(this));
    }

    function _surplus() internal view returns (uint256) {
        uint256 balance = _balance();
        uint256 owed = _owed();
        return balance > owed ? balance - owed : 0;
    }

    function _requireReceived(uint256 balanceBefore, uint256 expected) internal view {
        uint256 received = _balance() - balanceBefore;
        if (received != expected) revert TransferredAmountMismatch(received, expected);
    }

    function _requireSolvent() internal view {
        uint256 balance = _balance();
        uint256 owed = _owed();
        if (balance < owed) revert Insolvent(balance, owed);
    }

    function _owed() private view returns (uint256) {
        return totalCredits() + feesOwed();
    }

    function _filterOf(address account) private pure returns (uint256) {
        uint256 number = uint160(account);
        return (1 << (FILTER_SHIFT + number % FILTER_SIZE)) | (1 << (FILTER_SHIFT + (number >> 16) % FILTER_SIZE));
    }

    function _setFeeRecipient(address recipient) private {
        if (recipient == address(0)) revert ZeroAddress("feeRecipient");
        if (recipient == address(this)) revert ForbiddenTarget(recipient);
        feeRecipient = recipient;
        emit FeeRecipientSet(recipient);
    }
}
