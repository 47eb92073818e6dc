"""A Zigbee button rolls:  .venv/bin/python docs/recipes/wireless_button.py BROKER PORT BUTTON BOX"""

import sys

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

broker, port, button, box = sys.argv[1:5]
presses = {b"single": "rolled", b"double": "undo", b"hold": "move-on"}


def pressed(client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
    if message.payload in presses:
        client.publish(f"boxlid/{box}/command/{presses[message.payload]}", "PRESS", qos=1)


client = mqtt.Client(CallbackAPIVersion.VERSION2)
client.on_connect = lambda client, *_: client.subscribe(f"zigbee2mqtt/{button}/action")
client.on_message = pressed
client.connect(broker, int(port))
client.loop_forever()
