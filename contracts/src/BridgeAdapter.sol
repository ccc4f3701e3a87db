// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {BridgeExecutor} from "./BridgeExecutor.sol";
import {EmergencyPause} from "./EmergencyPause.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {RoleGrant} from "./RoleGrant.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Bridge adapter
/// @notice Implements `IBridgeAdapter`. The service relays the messages; there is no third-party bridge.
contract BridgeAdapter is IBridgeAdapter, InitialRoles, EmergencyPause, ReentrancyGuardTransient, EIP712 {
    using SafeERC20 for IERC20;

    /// @notice Executes requests of other chains.
    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");
    /// @notice Sets the rates of routes.
    bytes32 public constant ROUTE_ROLE = keccak256("ROUTE_ROLE");
    /// @notice Withdraws liquidity.
    bytes32 public constant TREASURER_ROLE = keccak256("TREASURER_ROLE");
    /// @notice EIP-712 type hash of a claim by signature. Each customer has a separate nonce for each token.
    bytes32 public constant CLAIM_TYPEHASH =
        keccak256("Claim(address customer,address token,address to,uint256 nonce,uint256 validBefore)");

    address private constant NATIVE = address(0);
    uint256 private constant ONE_USDC = 1_000_000;
    /// @dev Gas kept back to record the result of a call that burns all its gas.
    uint256 private constant NOTING_RESERVE = 100_000;
    /// @dev Upper bound of the gas that this contract and the executor spend around the call, including the reserve.
    uint256 private constant EXECUTION_OVERHEAD = 150_000 + NOTING_RESERVE;

    /// @notice The only account that may call `bridge`; zero on a chain that is only a destination.
    address public immutable credits;
    /// @notice The settlement token.
    address public immutable usdc;
    /// @notice Makes the calls, so that they cannot reach the adapter's liquidity.
    BridgeExecutor public immutable executor;

    uint256 private _requests;
    mapping(uint256 dstChainId => mapping(address dstToken => uint256)) private _routes;
    mapping(address customer => mapping(address token => uint256)) private _claimable;
    mapping(address token => uint256) private _totalClaimable;
    mapping(bytes32 id => bool) private _executed;
    mapping(uint256 srcChainId => mapping(address srcAdapter => bool)) private _sources;
    mapping(address token => uint256) private _dailyLimits;
    /// @inheritdoc IBridgeAdapter
    mapping(address customer => mapping(address token => uint256)) public claimNonce;
    mapping(address token => mapping(uint256 day => uint256)) private _spentOn;

    /// @param credits_ the credits contract; zero on a chain that is only a destination
    /// @param usdc_ the settlement token
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param grants further roles, granted at deployment
    constructor(address credits_, address usdc_, address admin, uint48 adminDelay, RoleGrant[] memory grants)
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(grants)
        EIP712("BridgeAdapter", "1")
    {
        if (usdc_ == address(0)) revert ZeroAddress("usdc");
        credits = credits_;
        usdc = usdc_;
        executor = new BridgeExecutor();
    }

    /// @notice Accepts liquidity: anyone may send the native coin here, or transfer tokens.
    receive() external payable {}

    /// @inheritdoc IBridgeAdapter
    function bridge(Request calldata request) external nonReentrant whenNotPaused returns (bytes32 id) {
        if (msg.sender != credits) revert OnlyCredits(msg.sender);
        uint256 costPerUsdc = _routes[request.dstChainId][request.dstToken];
        if (costPerUsdc == 0) revert UnknownRoute(request.dstChainId, request.dstToken);
        uint256 amount = Math.mulDiv(request.cost, ONE_USDC, costPerUsdc, Math.Rounding.Ceil);
        if (amount > request.amount) revert CostNotCovered(request.cost, request.amount * costPerUsdc / ONE_USDC);

        Delivery memory delivery = Delivery({
            srcChainId: block.chainid,
            srcAdapter: address(this),
            number: ++_requests,
            customer: request.customer,
            nonce: request.nonce,
            amount: amount,
            token: request.dstToken,
            cost: request.cost,
            target: request.target,
            data: request.data,
            minimumGas: request.minimumGas
        });
        id = _idOf(delivery, request.dstChainId);
        emit BridgeRequested(
            id,
            request.customer,
            request.nonce,
            delivery.number,
            amount,
            request.dstChainId,
            request.dstToken,
            request.isNative,
            request.cost,
            request.target,
            request.data,
            request.minimumGas
        );
        IERC20(usdc).safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @inheritdoc IBridgeAdapter
    function execute(Delivery calldata delivery)
        external
        nonReentrant
        whenNotPaused
        onlyRole(RELAYER_ROLE)
        returns (bool success)
    {
        bytes32 id = _admit(delivery);
        _requireGas(delivery.minimumGas);

        bytes memory reason;
        uint256 balance = _balanceOf(delivery.token);
        bool native = delivery.token == NATIVE;
        if (!native) IERC20(delivery.token).forceApprove(address(executor), delivery.cost);
        try executor.run{value: native ? delivery.cost : 0, gas: gasleft() - NOTING_RESERVE}(
            delivery.token, delivery.cost, delivery.target, delivery.data
        ) returns (
            bool success_, bytes memory reason_
        ) {
            (success, reason) = (success_, reason_);
        } catch {
            // The executor cannot be called, or the token rejects the target's address. No funds moved.
            if (!native) IERC20(delivery.token).forceApprove(address(executor), 0);
        }
        // The customer can claim the funds that came back, up to the cost. A surplus is a gift and becomes liquidity.
        uint256 remaining = _balanceOf(delivery.token);
        uint256 spent = balance > remaining ? balance - remaining : 0;
        uint256 left = spent < delivery.cost ? delivery.cost - spent : 0;
        if (left != 0) {
            _claimable[delivery.customer][delivery.token] += left;
            _totalClaimable[delivery.token] += left;
        }
        emit BridgeExecuted(id, delivery.customer, success, left, reason);
    }

    /// @inheritdoc IBridgeAdapter
    function claim(address token, address to) external nonReentrant returns (uint256 amount) {
        return _claim(msg.sender, token, to);
    }

    /// @inheritdoc IBridgeAdapter
    function claimFor(address customer, address token, address to, uint256 validBefore, bytes calldata signature)
        external
        nonReentrant
        returns (uint256 amount)
    {
        if (block.timestamp >= validBefore) revert ClaimExpired(validBefore, block.timestamp);
        bytes32 digest = hashClaim(customer, token, to, validBefore);
        if (!SignatureChecker.isValidSignatureNowCalldata(customer, digest, signature)) {
            revert InvalidClaimSignature(customer, digest);
        }
        ++claimNonce[customer][token];
        return _claim(customer, token, to);
    }

    /// @inheritdoc IBridgeAdapter
    function setSource(uint256 srcChainId, address srcAdapter, bool allowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (srcAdapter == address(0)) revert ZeroAddress("srcAdapter");
        _sources[srcChainId][srcAdapter] = allowed;
        emit SourceSet(srcChainId, srcAdapter, allowed);
    }

    /// @inheritdoc IBridgeAdapter
    function setDailyLimit(address token, uint256 amount) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _dailyLimits[token] = amount;
        emit DailyLimitSet(token, amount);
    }

    /// @inheritdoc IBridgeAdapter
    function setRoute(uint256 dstChainId, address dstToken, uint256 costPerUsdc) external onlyRole(ROUTE_ROLE) {
        _routes[dstChainId][dstToken] = costPerUsdc;
        emit RouteSet(dstChainId, dstToken, costPerUsdc);
    }

    /// @inheritdoc IBridgeAdapter
    function withdraw(address token, address to, uint256 amount) external nonReentrant onlyRole(TREASURER_ROLE) {
        uint256 available = liquidityOf(token);
        if (available < amount) revert InsufficientLiquidity(token, available, amount);
        emit LiquidityWithdrawn(token, to, amount);
        _pay(token, to, amount);
    }

    /// @inheritdoc IBridgeAdapter
    function rescueFromExecutor(address token, uint256 amount, address to)
        external
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        emit Rescued(token, amount, to);
        executor.rescue(token, amount, to);
    }

    /// @inheritdoc IBridgeAdapter
    function rescueNft(IERC721 nftContract, uint256 nftId, address to)
        external
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        emit Rescued(address(nftContract), nftId, to);
        address owner = nftContract.ownerOf(nftId);
        if (owner == address(executor)) return executor.rescueNft(nftContract, nftId, to);
        // `ownerOf` reverts for an ERC-20 token, so this cannot move the adapter's liquidity.
        if (owner != address(this)) revert NotHeld(address(nftContract), nftId);
        nftContract.transferFrom(address(this), to, nftId);
    }

    /// @inheritdoc IBridgeAdapter
    function routeOf(uint256 dstChainId, address dstToken) external view returns (uint256 costPerUsdc) {
        return _routes[dstChainId][dstToken];
    }

    /// @inheritdoc IBridgeAdapter
    function claimableOf(address customer, address token) external view returns (uint256) {
        return _claimable[customer][token];
    }

    /// @inheritdoc IBridgeAdapter
    function executed(bytes32 id) external view returns (bool) {
        return _executed[id];
    }

    /// @inheritdoc IBridgeAdapter
    function isSource(uint256 srcChainId, address srcAdapter) external view returns (bool) {
        return _sources[srcChainId][srcAdapter];
    }

    /// @inheritdoc IBridgeAdapter
    function dailyLimitOf(address token) external view returns (uint256) {
        return _dailyLimits[token];
    }

    /// @inheritdoc IBridgeAdapter
    function idOf(Delivery calldata delivery) external view returns (bytes32 id) {
        return _idOf(delivery, block.chainid);
    }

    /// @inheritdoc IBridgeAdapter
    function remainingToday(address token) public view returns (uint256) {
        uint256 limit = _dailyLimits[token];
        uint256 spent = _spentOn[token][block.timestamp / 1 days];
        return limit > spent ? limit - spent : 0;
    }

    /// @inheritdoc IBridgeAdapter
    function hashClaim(address customer, address token, address to, uint256 validBefore)
        public
        view
        returns (bytes32 digest)
    {
        return _hashTypedDataV4(
            keccak256(abi.encode(CLAIM_TYPEHASH, customer, token, to, claimNonce[customer][token], validBefore))
        );
    }

    /// @inheritdoc IBridgeAdapter
    function liquidityOf(address token) public view returns (uint256) {
        return _balanceOf(token) - _totalClaimable[token];
    }

    /// @dev Accepts each request once, from an allowed source, within the daily limit and the liquidity.
    function _admit(Delivery calldata delivery) private returns (bytes32 id) {
        if (delivery.customer == address(0)) revert ZeroAddress("customer");
        if (!_sources[delivery.srcChainId][delivery.srcAdapter]) {
            revert UnknownSource(delivery.srcChainId, delivery.srcAdapter);
        }
        id = _idOf(delivery, block.chainid);
        if (_executed[id]) revert AlreadyExecuted(id);
        _executed[id] = true;
        address token = delivery.token;
        uint256 cost = delivery.cost;
        uint256 remaining = remainingToday(token);
        if (cost > remaining) revert DailyLimitExceeded(token, remaining, cost);
        _spentOn[token][block.timestamp / 1 days] += cost;
        uint256 available = liquidityOf(token);
        if (available < cost) revert InsufficientLiquidity(token, available, cost);
    }

    /// @dev Claims are closed in the first three days of a pause, because wrong claims may be the reason for the pause.
    function _claim(address customer, address token, address to) private returns (uint256 amount) {
        _requireExitOpen();
        amount = _claimable[customer][token];
        if (amount == 0) revert NothingToClaim(customer, token);
        _claimable[customer][token] = 0;
        _totalClaimable[token] -= amount;
        emit Claimed(customer, token, to, amount);
        _pay(token, to, amount);
    }

    /// @dev Both chains compute this id, so a delivery that differs from its request has a different id.
    function _idOf(Delivery memory delivery, uint256 dstChainId) private pure returns (bytes32) {
        return keccak256(abi.encode(delivery, dstChainId));
    }

    function _balanceOf(address token) private view returns (uint256) {
        return token == NATIVE ? address(this).balance : IERC20(token).balanceOf(address(this));
    }

    function _pay(address token, address to, uint256 amount) private {
        if (to == address(0)) revert ZeroAddress("to");
        if (token != NATIVE) return IERC20(token).safeTransfer(to, amount);
        (bool success,,) = BoundedCall.call(to, amount, gasleft(), "");
        if (!success) revert NativeTransferFailed(to, amount);
    }

    /// @dev The call is nested two levels deep, and each level gets at most 63/64 of the gas.
    function _requireGas(uint256 minimum) private view {
        uint256 left = gasleft();
        uint256 kept = left / 64 * 2 + EXECUTION_OVERHEAD;
        uint256 available = left > kept ? left - kept : 0;
        if (available < minimum) revert InsufficientGas(available, minimum);
    }
}
