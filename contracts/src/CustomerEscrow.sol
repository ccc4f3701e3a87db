// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {ICredits} from "./ICredits.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title The wallet that a settled payment redeems with
/// @notice Stands in for one customer, who signed no permit. Whatever it receives goes to that customer; the one exception is USDC
/// of a refund, which the settlement contract takes back to make credits of it.
/// @dev One minimal proxy for each customer (`PaymentSettlement`); the customer is its immutable argument.
contract CustomerEscrow is IERC1271, IERC1155Receiver {
    using SafeERC20 for IERC20;

    address public immutable settlement = msg.sender;

    /// @dev The one permit that this wallet agrees to, while its redeem runs.
    bytes32 private transient _permitted;

    error OnlySettlement(address caller);

    modifier onlySettlement() {
        if (msg.sender != settlement) revert OnlySettlement(msg.sender);
        _;
    }

    /// @notice Redeems with a permit that this wallet agrees to for the time of the call.
    function redeem(ICredits credits, ICredits.RedeemRequest calldata request) external onlySettlement {
        _permitted = credits.hashCreditsAuthorization(request.permit);
        credits.redeem(request);
        _permitted = 0;
    }

    /// @notice Gives the USDC of a refund to the settlement contract.
    function pay(IERC20 token, uint256 amount) external onlySettlement {
        token.safeTransfer(msg.sender, amount);
    }

    /// @notice Hands an ERC-721 token on to the customer. Anybody may.
    function handOn(IERC721 nftContract, uint256 nftId) external {
        nftContract.transferFrom(address(this), customer(), nftId);
    }

    /// @notice Hands all of an ERC-20 token that lies here on to the customer, USDC too: it came by mistake. Anybody may.
    /// @dev USDC of a refund is here for a moment only, in which nobody else is called.
    function sweep(IERC20 token) external {
        token.safeTransfer(customer(), token.balanceOf(address(this)));
    }

    /// @notice Claims what a decent settlement left on this chain, for the customer. Anybody may.
    function claim(IBridgeAdapter adapter, address token) external {
        adapter.claim(token, customer());
    }

    /// @notice Who receives everything.
    function customer() public view returns (address) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        return hash != 0 && hash == _permitted ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256 id, uint256 value, bytes calldata) external returns (bytes4) {
        IERC1155(msg.sender).safeTransferFrom(address(this), customer(), id, value, "");
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata ids, uint256[] calldata values, bytes calldata)
        external
        returns (bytes4)
    {
        IERC1155(msg.sender).safeBatchTransferFrom(address(this), customer(), ids, values, "");
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || interfaceId == type(IERC165).interfaceId;
    }
}
