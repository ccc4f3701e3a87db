// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./HonestMerchants.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title A merchant with many kinds of misbehaviour
/// @dev Is also an NFT contract. With `doNothing`, it is a free shop.
contract HostileMerchant is ERC721, Payment {
    uint256 public minted;
    bool public lastSucceeded;
    bytes public lastAnswer;

    constructor(address usdc_) ERC721("Hostile", "HOST") Payment(usdc_) {}

    /// @notice Calls its caller back and forwards the revert.
    function reenter(uint256 price, bytes calldata data) external {
        _pull(price);
        (bool success, bytes memory answer) = msg.sender.call(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice Makes any call and ignores the result.
    function tryCall(uint256 price, address target, bytes calldata data) external {
        (lastSucceeded, lastAnswer) = target.call(data);
        _pull(price);
    }

    /// @notice Makes any call, then pulls the payment in parts.
    function pullTwice(uint256 first, uint256 second) external {
        _pull(first);
        _pull(second);
    }

    function eatGas() external pure {
        assembly {
            invalid()
        }
    }

    /// @notice Delivers only with enough gas; otherwise returns silently.
    function swallowOutOfGas(uint256 needed) external {
        uint256 start = gasleft();
        if (start < needed) return;
        lastSucceeded = true;
    }

    function revertBomb(uint256 size) external pure {
        assembly {
            revert(mload(0x40), size)
        }
    }

    function returnBomb(uint256 size) external pure {
        assembly {
            return(mload(0x40), size)
        }
    }

    /// @notice Mints with a hook.
    function safeMint(uint256 count) external {
        for (uint256 i = 0; i < count; ++i) {
            _safeMint(msg.sender, ++minted);
        }
    }

    /// @notice Mints without a hook and returns any number.
    function mintAndReturn(uint256 count, uint256 answer) external returns (uint256) {
        for (uint256 i = 0; i < count; ++i) {
            _mint(msg.sender, ++minted);
        }
        return answer;
    }

    /// @notice Mints with a hook and returns the given number.
    function safeMintAndReturn(uint256 count, uint256 answer) external returns (uint256) {
        for (uint256 i = 0; i < count; ++i) {
            _safeMint(msg.sender, ++minted);
        }
        return answer;
    }

    /// @notice Mints the id to an account. Anyone may call it, because it is a mock.
    function mintTo(address to, uint256 id) external {
        _mint(to, id);
    }

    /// @notice Calls the hook for a token that does not exist.
    function announce(uint256 id) external {
        IERC721Receiver(msg.sender).onERC721Received(address(this), address(0), id, "");
    }

    /// @notice Takes a token back from the caller.
    function mintAndTakeBack() external {
        uint256 id = ++minted;
        _safeMint(msg.sender, id);
        _update(address(this), id, address(0));
    }

    function doNothing() external {}
}
