// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {ForbiddenCalls} from "./ForbiddenCalls.sol";
import {ICredits} from "./ICredits.sol";
import {Ledger} from "./Ledger.sol";

/// @title What a settlement may call
/// @dev PROTOCOL.md 6.3. Entries are per credit seed, chain and target; a selector's own entry goes before the entry for any.
abstract contract Whitelist is Ledger {
    /// @dev EIP-7825 caps a transaction at 2^24 gas. The rest is what a redeem spends around the call, and 1/64; or what a
    /// delivery by the bridge does, and 2/64.
    uint256 internal constant MAX_MINIMUM_GAS = 15_500_000;
    /// @dev More than what is spent between a gas check and its call.
    uint256 private constant CALL_OVERHEAD = 2000;

    struct WhitelistEntry {
        bool allowed;
        uint64 minimumGas;
    }

    struct WhitelistTarget {
        WhitelistEntry any;
        uint32 entries;
        mapping(bytes4 selector => WhitelistEntry) selectors;
    }

    mapping(bytes32 creditSeedHash => mapping(uint256 chainId => mapping(address target => WhitelistTarget))) private
        _whitelist;

    /// @inheritdoc ICredits
    address public bridgeAdapter;

    /// @param adapter may have no code yet
    constructor(address adapter, address[] memory ownContracts) {
        if (adapter != address(0)) {
            _setOwnContract(adapter, true);
            _setBridgeAdapter(adapter);
        }
        for (uint256 i = 0; i < ownContracts.length; ++i) {
            _setOwnContract(ownContracts[i], true);
        }
    }

    /// @inheritdoc ICredits
    function setWhitelist(
        string calldata creditSeed,
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) external virtual onlyRole(WHITELIST_ROLE) {
        if (target == address(0)) revert ZeroAddress("target");
        if (anySelector) selector = 0;
        if (allowed) _requireRunnable(chainId, target, selector, minimumGas);
        else minimumGas = 0;
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        WhitelistTarget storage entry = _whitelist[creditSeedHash][chainId][target];
        WhitelistEntry storage rule = anySelector ? entry.any : entry.selectors[selector];
        if (rule.allowed != allowed) {
            if (allowed) ++entry.entries;
            else --entry.entries;
        }
        rule.allowed = allowed;
        // At most `MAX_MINIMUM_GAS`.
        rule.minimumGas = uint64(minimumGas);
        emit WhitelistSet(creditSeedHash, chainId, target, creditSeed, selector, anySelector, allowed, minimumGas);
    }

    /// @inheritdoc ICredits
    function setBridgeAdapter(address adapter) external virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        if (adapter != address(0)) {
            if (adapter == address(usdc) || adapter == address(this)) revert ForbiddenTarget(adapter);
            if (adapter.code.length == 0) revert TargetWithoutCode(adapter);
            _setOwnContract(adapter, true);
            (bool success, uint256 executor, uint256 size) =
                BoundedCall.readOnly(adapter, abi.encodeWithSignature("executor()"));
            if (success && size == 32) _setOwnContract(address(uint160(executor)), true);
        }
        _setBridgeAdapter(adapter);
    }

    /// @inheritdoc ICredits
    function setOwnContract(address account, bool own) external virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        if (account == bridgeAdapter) revert ForbiddenTarget(account);
        _setOwnContract(account, own);
    }

    /// @inheritdoc ICredits
    function whitelisted(string calldata creditSeed, uint256 chainId, address target, bytes4 selector)
        external
        view
        returns (bool allowed, uint256 minimumGas)
    {
        return _whitelistRule(keccak256(bytes(creditSeed)), chainId, target, selector);
    }

    function _requireWhitelisted(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        uint256 chainId,
        address target,
        bytes4 selector
    ) internal view returns (uint256) {
        (bool allowed, uint256 minimumGas) = _whitelistRule(creditSeedHash, chainId, target, selector);
        if (!allowed) revert NotWhitelisted(creditSeed, chainId, target, selector);
        return minimumGas;
    }

    /// @dev A target is known when it has an entry of any kind on this chain.
    function _isKnown(bytes32 creditSeedHash, address target) internal view returns (bool) {
        return _whitelist[creditSeedHash][block.chainid][target].entries != 0;
    }

    function _requireSelector(bytes calldata data) internal pure returns (bytes4 selector) {
        selector = bytes4(data);
        if (data.length < 4 || ForbiddenCalls.contains(selector)) revert ForbiddenSelector(selector);
    }

    function _requireNotForbidden(address target) internal view {
        if (target == ForbiddenCalls.PERMIT2) revert ForbiddenTarget(target);
        _requireNotOwn(target);
    }

    /// @dev Not the token, this contract, its bridge adapter, or another contract of the same deployment.
    function _requireNotOwn(address target) internal view {
        if (target == address(usdc) || target == address(this) || isOwnContract(target)) {
            revert ForbiddenTarget(target);
        }
    }

    function _setBridgeAdapter(address adapter) internal {
        bridgeAdapter = adapter;
        emit BridgeAdapterSet(adapter);
    }

    /// @dev A call gets at most 63/64 of what is left. Checked right before it. A call that asks for no gas leaves the
    /// reserve, too.
    function _requireGas(uint256 minimum, uint256 reserve) internal view {
        uint256 left = gasleft();
        uint256 kept = left / 64 + CALL_OVERHEAD + reserve;
        if (left <= kept) revert InsufficientGas(0, minimum);
        if (left - kept < minimum) revert InsufficientGas(left - kept, minimum);
    }

    /// @dev An entry that no redeem could ever use is refused. `selector` is zero for any.
    function _requireRunnable(uint256 chainId, address target, bytes4 selector, uint256 minimumGas) private view {
        _requireNotForbidden(target);
        if (chainId == 0) revert UnsupportedChain(chainId);
        if (chainId == block.chainid && target.code.length == 0) revert TargetWithoutCode(target);
        if (ForbiddenCalls.contains(selector)) revert ForbiddenSelector(selector);
        if (minimumGas == 0 || minimumGas > MAX_MINIMUM_GAS) {
            revert MinimumGasOutOfBounds(minimumGas, MAX_MINIMUM_GAS);
        }
    }

    function _whitelistRule(bytes32 creditSeedHash, uint256 chainId, address target, bytes4 selector)
        private
        view
        returns (bool allowed, uint256 minimumGas)
    {
        WhitelistTarget storage entry = _whitelist[creditSeedHash][chainId][target];
        WhitelistEntry memory rule = entry.selectors[selector];
        if (!rule.allowed && !ForbiddenCalls.isBundle(selector)) rule = entry.any;
        return (rule.allowed, rule.minimumGas);
    }
}
