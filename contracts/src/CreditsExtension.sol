// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {CreditsBase} from "./CreditsBase.sol";
import {CreditsViews} from "./CreditsViews.sol";
import {ForbiddenCalls} from "./ForbiddenCalls.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Setup} from "./RoleGrant.sol";
import {TokenRescue} from "./TokenRescue.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The rarely used functions of `Credits`: administration, fees, early authorizations, the customers' exit
/// @notice Contains only code. `Credits` deploys this contract and runs it by `delegatecall`, because a contract's size
/// is limited; it cannot be replaced. A direct call finds empty storage, in which no account has a role.
contract CreditsExtension is CreditsViews, TokenRescue {
    using SafeERC20 for IUsdc;

    /// @dev EIP-7825 caps a transaction at 2^24 gas. The difference covers the gas that a redeem spends around the call
    /// and the 1/64 that it keeps. It also covers a delivery by the bridge, which keeps 1/64 twice.
    uint256 private constant MAX_MINIMUM_GAS = 15_500_000;
    /// @dev An address without a known key, so that this contract's own storage has no usable admin.
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;

    /// @param usdc_ the same as in `Credits`
    /// @param signatureVerifier_ the same as in `Credits`
    constructor(IUsdc usdc_, address signatureVerifier_)
        CreditsBase(usdc_, NOBODY, type(uint48).max, NOBODY, signatureVerifier_, _emptySetup())
    {}

    // Money

    /// @inheritdoc ICredits
    function withdrawFees() external nonReentrant whenNotPaused returns (uint256 amount) {
        address recipient = feeRecipient;
        amount = _takeFees();
        emit FeesWithdrawn(recipient, amount);
        usdc.safeTransfer(recipient, amount);
        _requireSolvent();
    }

    /// @inheritdoc ICredits
    function burnBySignature(
        address customerWallet,
        string calldata creditSeed,
        uint256 amount,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant {
        _requireExitOpen();
        if (block.timestamp >= validBefore) revert PermitExpired(validBefore, block.timestamp);
        bytes32 digest = hashBurnCredits(customerWallet, creditSeed, amount, validBefore);
        if (!_isValidSignature(customerWallet, digest, signature)) revert InvalidBurnSignature(customerWallet, digest);
        ++burnNonce[customerWallet];
        _burn(creditSeed, customerWallet, amount);
    }

    /// @inheritdoc ICredits
    function creditEarlyAuthorization(string calldata creditSeed, EarlyAuthorization calldata authorization)
        external
        nonReentrant
        whenNotPaused
        onlyRole(OPERATOR_ROLE)
    {
        address from = authorization.from;
        bytes32 nonce = authorization.nonce;
        uint256 value = authorization.value;
        if (from == address(0)) revert ZeroAddress("from");
        if (value == 0) revert ZeroAmount();
        _requireMayExecuteEarly(nonce);
        if (_creditedEarly[from][nonce] || _isUsdcCollected(from, nonce)) {
            revert AuthorizationAlreadyCredited(from, nonce);
        }
        if (!usdc.authorizationState(from, nonce)) revert AuthorizationNotUsed(from, nonce);
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            usdc.DOMAIN_SEPARATOR(), RedeemHash.transferWithAuthorization(authorization, address(this))
        );
        if (!SignatureChecker.isValidSignatureNowCalldata(from, digest, authorization.signature)) {
            revert InvalidEarlyAuthorization(from, digest);
        }
        uint256 balance = _balance();
        uint256 owed = _owed();
        uint256 available = balance > owed ? balance - owed : 0;
        if (value > available) revert InsufficientSurplus(available, value);

        _creditedEarly[from][nonce] = true;
        _addCredits(keccak256(bytes(creditSeed)), from, value);
        emit EarlyAuthorizationCredited(from, nonce, creditSeed, value);
    }

    /// @dev Wallets sign only `ReceiveWithAuthorization` with an intent-bound nonce, and no third party can execute that.
    function _requireMayExecuteEarly(bytes32 nonce) internal pure virtual {
        if (RedeemHash.isIntentBound(nonce)) revert RandomNonceRequired(nonce);
    }

    /// @dev Whether a redeem collected USDC by an authorization with exactly this nonce.
    function _isUsdcCollected(address wallet, bytes32 nonce) internal view virtual returns (bool) {
        uint256 order = _orders[wallet][bytes12(nonce)];
        return order & USDC_COLLECTED != 0 && uint160(order) == uint160(uint256(nonce));
    }

    // Administration

    /// @inheritdoc ICredits
    function setWhitelist(
        string calldata creditSeed,
        uint256 chainId,
        address target,
        bytes4 selector,
        bool anySelector,
        bool allowed,
        uint256 minimumGas
    ) external onlyRole(WHITELIST_ROLE) {
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
        // The cast is safe, because the value is at most `MAX_MINIMUM_GAS`.
        rule.minimumGas = uint64(minimumGas);
        emit WhitelistSet(creditSeedHash, chainId, target, creditSeed, selector, anySelector, allowed, minimumGas);
    }

    /// @dev Rejects an entry that no redeem could use. A zero `selector` means any function.
    function _requireRunnable(uint256 chainId, address target, bytes4 selector, uint256 minimumGas) private view {
        _requireNotForbidden(target);
        if (chainId == 0) revert UnsupportedChain(chainId);
        if (chainId == block.chainid && target.code.length == 0) revert TargetWithoutCode(target);
        if (ForbiddenCalls.contains(selector)) revert ForbiddenSelector(selector);
        if (minimumGas == 0 || minimumGas > MAX_MINIMUM_GAS) {
            revert MinimumGasOutOfBounds(minimumGas, MAX_MINIMUM_GAS);
        }
    }

    /// @inheritdoc ICredits
    function setRandomNoncePermits(string calldata creditSeed, bool allowed) external onlyRole(WHITELIST_ROLE) {
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _randomNoncePermits[creditSeedHash] = allowed;
        emit RandomNoncePermitsSet(creditSeedHash, creditSeed, allowed);
    }

    /// @inheritdoc ICredits
    function setFeeRecipient(address recipient) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setFeeRecipient(recipient);
    }

    /// @inheritdoc ICredits
    function setBridgeAdapter(address adapter) external onlyRole(DEFAULT_ADMIN_ROLE) {
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
    function setOwnContract(address account, bool own) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (account == bridgeAdapter) revert ForbiddenTarget(account);
        _setOwnContract(account, own);
    }

    /// @inheritdoc ICredits
    function rescueErc20(IERC20 token, uint256 amount, address to) public override(ICredits, TokenRescue) nonReentrant {
        _requireNotForbidden(address(token));
        super.rescueErc20(token, amount, to);
    }

    /// @inheritdoc ICredits
    function rescueNft(IERC721 nftContract, uint256 nftId, address to)
        public
        override(ICredits, TokenRescue)
        nonReentrant
    {
        _requireNotForbidden(address(nftContract));
        super.rescueNft(nftContract, nftId, to);
    }

    // Functions that `Credits` implements itself

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemToken(Permit calldata, uint256, uint256, bytes32, address) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemBatch(bytes[] calldata, uint256[] calldata) external view returns (BatchResult[] memory) {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function cancelCreditsAuthorization(address, bytes32, bytes calldata) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function mint(string calldata, address, uint256) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function burn(string calldata, address, uint256) external view {
        revert OnlySelf(msg.sender);
    }

    function _emptySetup() private pure returns (Setup memory setup) {}
}
